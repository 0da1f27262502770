"""A store as a file and back: export, import, backup, and what belongs to moving.

`foreign` reads the files of other programs, `moving` copies between two stores. It may import
`opening` and everything below. Start reading at `exchange`.
"""
