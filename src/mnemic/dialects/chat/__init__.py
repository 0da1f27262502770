"""What a chat app sees: memory items, relations, background work and conversations over HTTP."""
