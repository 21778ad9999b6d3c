"""Between PCs: frames, messages, links and discovery."""
