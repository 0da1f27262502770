"""How good answers are, on data that nobody here wrote."""
