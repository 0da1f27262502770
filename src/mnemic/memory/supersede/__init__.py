"""What is true now and what was: a newer memory ends older ones. Start reading at `validity`.

`replaced` finds on write what a new memory ends; whoever knows it otherwise calls `supersede`.
"""

from mnemic.memory.supersede.validity import supersede

__all__ = ["supersede"]
