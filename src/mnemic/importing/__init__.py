"""Importing: memories of other programs come in, with everything that can be expressed here."""

from mnemic.importing.carrying import import_foreign
from mnemic.importing.detecting import FORMATS, detect, unknown
from mnemic.importing.reports import ImportReport, Skipped

__all__ = ["FORMATS", "ImportReport", "Skipped", "detect", "import_foreign", "unknown"]
