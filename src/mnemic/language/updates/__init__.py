"""Whether a text says what is so instead of an older one. Start reading at `judgement`."""
