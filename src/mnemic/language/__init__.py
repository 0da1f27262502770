"""English and Chinese text: tokens, sentences, dates, categories, and what makes two texts differ.

Pure functions on strings; nothing here knows a memory. Start reading at `tokens`.
"""
