"""The API for programs on this PC: the endpoints and shapes of OpenAI's, answered by the pool, on loopback only."""
