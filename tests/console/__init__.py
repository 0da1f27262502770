"""The console in a real browser, on a filled store of each backend."""
