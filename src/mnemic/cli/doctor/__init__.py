"""`mnemic doctor`: what is checked, and how to mend it. Start reading at `diagnosis`."""
