"""The console: a page at `/` on which people look at a memory, ask it why, and put it right.

`static` holds it as plain ES modules, styles and icons: no build step, and nothing comes from
elsewhere. It has no data and needs no key; what it asks for goes through the server's ordinary
routes. Start reading at `static/app.js`; `static_files` serves it.
"""
