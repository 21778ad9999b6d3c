"""Conversations on disk: a tree of messages in SQLite, without Qt."""
