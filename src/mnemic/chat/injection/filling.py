"""A block that is being filled: what is in, and whether one more fits the budget."""

from collections.abc import Iterable

from mnemic.chat.injection.block_text import BlockLine, Style, header_quarters, tokens_of
from mnemic.chat.injection.weights import Pick


class Filling:
    """Keeps the account of one block: headers, list marks and blank lines are paid for too."""

    def __init__(self, *, style: Style, budget: int, pinned: Iterable[Pick]) -> None:
        self.picks: list[Pick] = []
        self._style: Style = style
        self._budget = budget
        self._headers: set[str] = set()
        self._spent = 0
        self._lines: dict[str, BlockLine] = {}
        for pick in pinned:
            self._put(pick)

    @property
    def left(self) -> int:
        """The tokens that are left; none where what is pinned took more than there were."""
        return max(0, self._budget - tokens_of(self._spent))

    def price(self, pick: Pick) -> int:
        """Return what one more would cost now, in quarters, with the header that it opens."""
        line = self._line(pick)
        if line.header in self._headers:
            return line.quarters
        return line.quarters + header_quarters(line.header, first=not self._headers)

    def take(self, pick: Pick) -> bool:
        """Put one in if it fits, and tell whether it did."""
        if tokens_of(self._spent + self.price(pick)) > self._budget:
            return False
        self._put(pick)
        return True

    def misfit(self, pick: Pick) -> str:
        """Return why one that was not taken does not go in."""
        return f"does not fit: {tokens_of(self.price(pick))} tokens, {self.left} left"

    def _put(self, pick: Pick) -> None:
        self._spent += self.price(pick)
        self._headers.add(self._line(pick).header)
        self.picks.append(pick)

    def _line(self, pick: Pick) -> BlockLine:
        """Return a line, which is made and measured once."""
        line = self._lines.get(pick.id)
        if line is None:
            line = self._lines[pick.id] = pick.candidate.line(self._style)
        return line
