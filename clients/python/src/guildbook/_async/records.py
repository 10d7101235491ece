import uuid
from collections.abc import AsyncIterator
from datetime import date

from guildbook import _requests as requests
from guildbook._async.transport import AsyncTransport
from guildbook._results import CursorPage, Tagged
from guildbook.errors import NotFoundError
from guildbook.models import (
    Discharge,
    GetDischargeRecordResponse,
    GetTransferRecordResponse,
    ListDischargeRecordsResponse,
    ListTransferRecordsResponse,
    PutDischargeRecordRequest,
    PutDischargeRecordResponse,
    PutTransferRecordRequest,
    PutTransferRecordResponse,
    Transfer,
)

PAGE_LIMIT = 100


class AsyncRecordCalls:
    """Calls for the guild's records: reading needs the scope `guild:read`, writing `records:write`.

    `since` and `until` take a date, which is its midnight in UTC, or a datetime. `if_match` takes the etag of the
    version that you have seen; when the record was changed meanwhile, nothing happens and the call raises
    ConflictError.
    """

    _transport: AsyncTransport

    async def list_discharges(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        search: str | None = None,
        player_id: str | None = None,
        since: date | None = None,
        until: date | None = None,
        type: str | None = None,  # noqa: A002 - the interface's name
    ) -> CursorPage[Discharge]:
        """One page of the guild's discharges, newest first."""
        query: dict[str, requests.QueryValue] = {
            "limit": limit,
            "cursor": cursor,
            "search": search,
            "playerId": player_id,
            "since": since,
            "until": until,
            "type": type,
        }
        address = requests.with_query("/guild/records/discharges", query)
        data = (await self._transport.send(requests.get(address))).parse(ListDischargeRecordsResponse).data
        return CursorPage(data.records, data.next_cursor)

    async def discharges(
        self,
        *,
        search: str | None = None,
        player_id: str | None = None,
        since: date | None = None,
        until: date | None = None,
        type: str | None = None,  # noqa: A002 - the interface's name
    ) -> AsyncIterator[Discharge]:
        """All of the guild's discharges that match, newest first."""
        cursor: str | None = None
        while True:
            page = await self.list_discharges(
                limit=PAGE_LIMIT,
                cursor=cursor,
                search=search,
                player_id=player_id,
                since=since,
                until=until,
                type=type,
            )
            for record in page.items:
                yield record
            if page.next_cursor is None:
                return
            cursor = page.next_cursor

    async def read_discharge(self, discharge_id: str) -> Tagged[Discharge]:
        """A discharge with its tag."""
        answer = await self._transport.send(requests.get(_address("discharges", discharge_id)))
        return Tagged(answer.parse(GetDischargeRecordResponse).data.record, answer.header("etag"))

    async def put_discharge(
        self, discharge_id: str, discharge: PutDischargeRecordRequest, *, if_match: str | None = None
    ) -> Tagged[Discharge]:
        """Creates or replaces a discharge."""
        request = requests.put(_address("discharges", discharge_id), discharge, if_match)
        answer = await self._transport.send(request)
        return Tagged(answer.parse(PutDischargeRecordResponse).data.record, answer.header("etag"))

    async def add_discharge(self, discharge: PutDischargeRecordRequest) -> Tagged[Discharge]:
        """Writes a discharge under a new id, which is generated here, so that a retry does not write a second one."""
        return await self.put_discharge(str(uuid.uuid4()), discharge)

    async def delete_discharge(self, discharge_id: str, *, if_match: str | None = None) -> bool:
        """False when there was no such discharge."""
        return await self._delete(_address("discharges", discharge_id), if_match)

    async def list_transfers(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        search: str | None = None,
        player_id: str | None = None,
        since: date | None = None,
        until: date | None = None,
    ) -> CursorPage[Transfer]:
        """One page of the guild's transfers, newest first."""
        query: dict[str, requests.QueryValue] = {
            "limit": limit,
            "cursor": cursor,
            "search": search,
            "playerId": player_id,
            "since": since,
            "until": until,
        }
        address = requests.with_query("/guild/records/transfers", query)
        data = (await self._transport.send(requests.get(address))).parse(ListTransferRecordsResponse).data
        return CursorPage(data.records, data.next_cursor)

    async def transfers(
        self,
        *,
        search: str | None = None,
        player_id: str | None = None,
        since: date | None = None,
        until: date | None = None,
    ) -> AsyncIterator[Transfer]:
        """All of the guild's transfers that match, newest first."""
        cursor: str | None = None
        while True:
            page = await self.list_transfers(
                limit=PAGE_LIMIT,
                cursor=cursor,
                search=search,
                player_id=player_id,
                since=since,
                until=until,
            )
            for record in page.items:
                yield record
            if page.next_cursor is None:
                return
            cursor = page.next_cursor

    async def read_transfer(self, transfer_id: str) -> Tagged[Transfer]:
        """A transfer with its tag."""
        answer = await self._transport.send(requests.get(_address("transfers", transfer_id)))
        return Tagged(answer.parse(GetTransferRecordResponse).data.record, answer.header("etag"))

    async def put_transfer(
        self, transfer_id: str, transfer: PutTransferRecordRequest, *, if_match: str | None = None
    ) -> Tagged[Transfer]:
        """Creates or replaces a transfer."""
        request = requests.put(_address("transfers", transfer_id), transfer, if_match)
        answer = await self._transport.send(request)
        return Tagged(answer.parse(PutTransferRecordResponse).data.record, answer.header("etag"))

    async def add_transfer(self, transfer: PutTransferRecordRequest) -> Tagged[Transfer]:
        """Writes a transfer under a new id, which is generated here, so that a retry does not write a second one."""
        return await self.put_transfer(str(uuid.uuid4()), transfer)

    async def delete_transfer(self, transfer_id: str, *, if_match: str | None = None) -> bool:
        """False when there was no such transfer."""
        return await self._delete(_address("transfers", transfer_id), if_match)

    async def _delete(self, address: str, if_match: str | None) -> bool:
        """A retry whose first attempt was executed finds nothing and returns False."""
        try:
            await self._transport.send(requests.delete(address, if_match))
        except NotFoundError:
            return False
        return True


def _address(kind: str, record_id: str) -> str:
    return requests.path("guild", "records", kind, record_id)
