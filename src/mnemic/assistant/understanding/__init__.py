"""What a message wants: an answer or to be kept, about whom, about when.

Pure functions on text. Start reading at `asking`.
"""
