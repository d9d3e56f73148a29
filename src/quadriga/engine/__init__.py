"""What every game shares: records, kernels, chance, matches and traces. No game's name stands in here."""
