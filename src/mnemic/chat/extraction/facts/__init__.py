"""The rules that find facts in English and Chinese sentences, and the words they know.

Start reading at `rules_english`. Pure functions on text.
"""
