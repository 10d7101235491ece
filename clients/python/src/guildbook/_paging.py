"""Remembers which transactions were already returned."""

REMEMBERED_MAX = 10_000


class Seen:
    """The last ids.

    A transaction that is posted between two pages moves the rows behind it, so that the next page repeats some. Rows
    are never removed, so none is skipped. A row could come twice only when more than REMEMBERED_MAX rows arrive
    between two pages.
    """

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}

    def add(self, transaction_id: str) -> bool:
        """True when the id is new."""
        if transaction_id in self._ids:
            return False
        self._ids[transaction_id] = None
        if len(self._ids) > REMEMBERED_MAX:
            del self._ids[next(iter(self._ids))]
        return True
