"""The server: one memory behind one address."""
