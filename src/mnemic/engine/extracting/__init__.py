"""What a turn says that is worth keeping: by rules, or by a language model."""
