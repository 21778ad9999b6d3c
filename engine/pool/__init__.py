"""The pool at work: which PC runs which layers, the processes that do, and the node that joins them."""
