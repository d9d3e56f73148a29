"""One module per version of the store."""
