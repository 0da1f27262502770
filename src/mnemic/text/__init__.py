"""Pure functions on text, in English and Chinese."""
