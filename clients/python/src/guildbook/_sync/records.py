# Made from _async/records.py by generate.py; do not edit by hand.
import uuid
from collections.abc import Iterator
from datetime import date

from guildbook import _requests as requests
from guildbook._results import CursorPage, Tagged
from guildbook._sync.transport import Transport
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


class RecordCalls:
    """Calls for the guild's records: reading needs the scope `guild:read`, writing `records:write`.

    `since` and `until` take a date, which is its midnight in UTC, or a datetime. `if_match` takes the etag of the
    version that you have seen; when the record was changed meanwhile, nothing happens and the call raises
    ConflictError.
    """

    _transport: Transport

    def list_discharges(
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
        data = (self._transport.send(requests.get(address))).parse(ListDischargeRecordsResponse).data
        return CursorPage(data.records, data.next_cursor)

    def discharges(
        self,
        *,
        search: str | None = None,
        player_id: str | None = None,
        since: date | None = None,
        until: date | None = None,
        type: str | None = None,  # noqa: A002 - the interface's name
    ) -> Iterator[Discharge]:
        """All of the guild's discharges that match, newest first."""
        cursor: str | None = None
        while True:
            page = self.list_discharges(
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

    def read_discharge(self, discharge_id: str) -> Tagged[Discharge]:
        """A discharge with its tag."""
        answer = self._transport.send(requests.get(_address("discharges", discharge_id)))
        return Tagged(answer.parse(GetDischargeRecordResponse).data.record, answer.header("etag"))

    def put_discharge(
        self, discharge_id: str, discharge: PutDischargeRecordRequest, *, if_match: str | None = None
    ) -> Tagged[Discharge]:
        """Creates or replaces a discharge."""
        request = requests.put(_address("discharges", discharge_id), discharge, if_match)
        answer = self._transport.send(request)
        return Tagged(answer.parse(PutDischargeRecordResponse).data.record, answer.header("etag"))

    def add_discharge(self, discharge: PutDischargeRecordRequest) -> Tagged[Discharge]:
        """Writes a discharge under a new id, which is generated here, so that a retry does not write a second one."""
        return self.put_discharge(str(uuid.uuid4()), discharge)

    def delete_discharge(self, discharge_id: str, *, if_match: str | None = None) -> bool:
        """False when there was no such discharge."""
        return self._delete(_address("discharges", discharge_id), if_match)

    def list_transfers(
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
        data = (self._transport.send(requests.get(address))).parse(ListTransferRecordsResponse).data
        return CursorPage(data.records, data.next_cursor)

    def transfers(
        self,
        *,
        search: str | None = None,
        player_id: str | None = None,
        since: date | None = None,
        until: date | None = None,
    ) -> Iterator[Transfer]:
        """All of the guild's transfers that match, newest first."""
        cursor: str | None = None
        while True:
            page = self.list_transfers(
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

    def read_transfer(self, transfer_id: str) -> Tagged[Transfer]:
        """A transfer with its tag."""
        answer = self._transport.send(requests.get(_address("transfers", transfer_id)))
        return Tagged(answer.parse(GetTransferRecordResponse).data.record, answer.header("etag"))

    def put_transfer(
        self, transfer_id: str, transfer: PutTransferRecordRequest, *, if_match: str | None = None
    ) -> Tagged[Transfer]:
        """Creates or replaces a transfer."""
        request = requests.put(_address("transfers", transfer_id), transfer, if_match)
        answer = self._transport.send(request)
        return Tagged(answer.parse(PutTransferRecordResponse).data.record, answer.header("etag"))

    def add_transfer(self, transfer: PutTransferRecordRequest) -> Tagged[Transfer]:
        """Writes a transfer under a new id, which is generated here, so that a retry does not write a second one."""
        return self.put_transfer(str(uuid.uuid4()), transfer)

    def delete_transfer(self, transfer_id: str, *, if_match: str | None = None) -> bool:
        """False when there was no such transfer."""
        return self._delete(_address("transfers", transfer_id), if_match)

    def _delete(self, address: str, if_match: str | None) -> bool:
        """A retry whose first attempt was executed finds nothing and returns False."""
        try:
            self._transport.send(requests.delete(address, if_match))
        except NotFoundError:
            return False
        return True


def _address(kind: str, record_id: str) -> str:
    return requests.path("guild", "records", kind, record_id)
