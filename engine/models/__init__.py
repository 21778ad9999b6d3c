"""Models on disk: the catalogue, fetching, converting, storing and reading them."""
