"""Moderation: who may play in this house, reports, what moderators do about them, appeals, and the log."""
