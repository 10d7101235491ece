# Made from _async/key_log.py by generate.py; do not edit by hand.
from collections.abc import Iterator

from guildbook import _requests as requests
from guildbook._results import CursorPage
from guildbook._sync.transport import Transport
from guildbook.models import (
    GetKeyUsageResponse,
    GetKeyUsageResponseData,
    KeyRequest,
    ListKeyRequestsResponse,
)

PAGE_LIMIT = 100


class SyncKeyLogCalls:
    """Calls that read how this key was used. Any scope will do."""

    _transport: Transport

    def get_key_usage(self, *, days: int | None = None) -> GetKeyUsageResponseData:
        """The number of requests of this key by hour, route and result."""
        address = requests.with_query("/guild/key/usage", {"days": days})
        return (self._transport.send(requests.get(address))).parse(GetKeyUsageResponse).data

    def list_key_requests(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        refused: bool | None = None,
        route: str | None = None,
        code: str | None = None,
        request_id: str | None = None,
    ) -> CursorPage[KeyRequest]:
        """One page of the last refused requests of this key, newest first, with the reason of each."""
        query: dict[str, requests.QueryValue] = {
            "limit": limit,
            "cursor": cursor,
            "refused": None if refused is None else str(refused).lower(),
            "route": route,
            "code": code,
            "requestId": request_id,
        }
        address = requests.with_query("/guild/key/requests", query)
        data = (self._transport.send(requests.get(address))).parse(ListKeyRequestsResponse).data
        return CursorPage(data.requests, data.next_cursor)

    def key_requests(
        self,
        *,
        refused: bool | None = None,
        route: str | None = None,
        code: str | None = None,
    ) -> Iterator[KeyRequest]:
        """All requests of this key that are kept, newest first."""
        cursor: str | None = None
        while True:
            page = self.list_key_requests(limit=PAGE_LIMIT, cursor=cursor, refused=refused, route=route, code=code)
            for request in page.items:
                yield request
            if page.next_cursor is None:
                return
            cursor = page.next_cursor
