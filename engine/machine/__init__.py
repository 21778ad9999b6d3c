"""What the PC itself tells: who uses it, on what power, how hot, over which network, and when it goes to sleep.

Each question has one module; what only one system can answer lies in a module named after it. Nothing here decides:
that is pool/donation.py. What cannot be found out is None, and never an error.
"""
