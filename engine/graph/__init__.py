"""Graph surgery: where a model can be cut, what a span of its layers needs, and the cut itself."""
