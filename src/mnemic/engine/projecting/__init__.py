"""The memory of a branch as a projection of its turns: a fold over what each of them says."""
