"""What `/docs` is made of."""
