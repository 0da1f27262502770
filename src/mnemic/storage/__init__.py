"""The store: named statements, one module per table, one package per backend."""
