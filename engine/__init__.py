"""The engine: cuts models, runs shards, links PCs. Knows no window and no Qt; runs headless."""
