"""The PCs of the pool: the chain of a model, their states, pairing."""
