"""The program: command line, processes and wiring of the engine with the window."""
