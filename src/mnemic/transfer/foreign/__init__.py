"""The files of other programs, read into memories with everything that can be expressed here.

Start reading at `carrying`; there is one module for each format.
"""

from mnemic.transfer.foreign.carrying import import_foreign
from mnemic.transfer.foreign.detecting import FORMATS, detect, unknown
from mnemic.transfer.foreign.import_reports import ImportReport, Skipped

__all__ = ["FORMATS", "ImportReport", "Skipped", "detect", "import_foreign", "unknown"]
