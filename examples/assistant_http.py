"""The assistant's tools over HTTP, in an application of your own."""

from fastapi import FastAPI

import mnemic
from mnemic.assistant import tools_router

app = FastAPI()
app.include_router(tools_router(mnemic.open(locale="en").assistant))
print(sorted(app.openapi()["paths"])[:3])
