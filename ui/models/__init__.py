"""The models: what is here, what the pool can carry, adding and removing."""
