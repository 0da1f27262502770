"""The arrays that the index is made of: postings, members, sketches, and their file.

Start reading at `postings`.
"""
