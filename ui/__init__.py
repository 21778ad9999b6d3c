"""The window and the tray. Speaks JSON lines with the node process and holds no engine object."""
