"""Lending rules and everything else that is chosen once."""
