"""Export and import: everything that an account holds, as lines of JSON."""
