"""The programs that are measured, each behind the same calls and in a process of its own."""
