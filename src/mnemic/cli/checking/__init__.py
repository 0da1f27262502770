"""`mnemic doctor`: what is checked, part by part, and how to mend what is wrong."""
