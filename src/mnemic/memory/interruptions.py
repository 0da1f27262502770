"""What ends a call before it has done anything, without being an error."""


class Interruption(Exception):  # noqa: N818  it is no error
    """Whoever should reply has to be asked first; the same call is made again with the answer."""
