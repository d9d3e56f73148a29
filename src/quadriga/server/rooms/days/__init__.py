"""Games by days: deadlines, their sweeper, reaction windows that wait for nobody, and vacations."""
