"""The database: the seam that both backends stand behind, and what they share.

Start reading at `database`. SQL stands in the `.sql` files of `sqlite` and `postgres`, under the
same names in both; the modules of `rows` and `chat_rows` call it, one for each table.
"""
