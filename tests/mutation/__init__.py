"""Mutation testing: `make mutants` lists changes of constants that no test notices.

Start reading in `run.py`.
"""
