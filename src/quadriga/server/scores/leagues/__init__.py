"""Leagues: people who keep score over a prolonged series of games, of any mix of kinds."""
