"""What `mnemic demo` shows, and the store that `mnemic demo --open` fills. Start reading at
`demo`.
"""
