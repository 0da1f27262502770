"""One module for each table of chats and jobs: records in, records out. Start at `item_rows`."""
