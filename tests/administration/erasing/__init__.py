"""Promises of erasing."""
