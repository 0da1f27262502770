"""What makes a process start fast and stay small, each with what it buys. Start at `lean_sdk`."""
