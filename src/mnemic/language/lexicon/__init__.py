"""Word lists and the wording of categories, as data. Start reading at `categories`."""
