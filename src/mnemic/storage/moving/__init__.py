"""Moving a store from one backend to another."""
