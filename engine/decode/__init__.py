"""From a prompt to a text: the head's loop, sampling, and the streaming of text."""
