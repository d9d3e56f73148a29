"""Measurement: what happens over many games."""
