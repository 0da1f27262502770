"""A person's own view of what an assistant remembers. Start reading at `user_view`."""
