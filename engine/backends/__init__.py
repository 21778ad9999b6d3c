"""Shards on devices: one span of layers, compiled and run."""
