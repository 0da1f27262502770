"""Language models that reply and extract. Start reading at `chat_model`."""
