"""One module for each group of routes. Start reading at `session_routes`."""
