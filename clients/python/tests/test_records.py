from datetime import date, datetime, timezone

import pytest

from guildbook import ConflictError, DischargeFields, Guildbook, NotFoundError, TransferFields

DISCHARGE = DischargeFields(
    chat_id="302817465920118784",
    player_id="48213977",
    name="Rowan_Ashford",
    reason="Moved away,\nwith thanks",
    date="2026-03-14",
    type="honourable",
    from_="2nd Company",
    signed="KestrelVane",
)
TRANSFER = TransferFields(
    player_id="48213977",
    name="Rowan_Ashford",
    date=datetime(2026, 5, 2, 18, 22, 5, tzinfo=timezone.utc),
    from_="2nd Company",
    to="Harbour Watch",
    signed="KestrelVane",
)


def test_a_discharge_is_written_read_replaced_and_deleted(guildbook: Guildbook) -> None:
    written = guildbook.put_discharge("own 1/ü", DISCHARGE)
    assert (written.record.id, written.record.from_, written.record.date) == ("own 1/ü", "2nd Company", "2026-03-14")
    assert guildbook.read_discharge("own 1/ü") == written
    assert guildbook.get_discharge("own 1/ü") == written.record
    changed = DISCHARGE.model_copy(update={"reason": "Changed"})
    replaced = guildbook.put_discharge("own 1/ü", changed, if_match=written.etag)
    assert (replaced.record.reason, replaced.etag != written.etag) == ("Changed", True)
    with pytest.raises(ConflictError) as caught:
        guildbook.put_discharge("own 1/ü", DISCHARGE, if_match=written.etag)
    assert (caught.value.status, caught.value.code) == (412, "record_changed")
    with pytest.raises(ConflictError):
        guildbook.delete_discharge("own 1/ü", if_match=written.etag)
    assert guildbook.delete_discharge("own 1/ü", if_match=replaced.etag)
    assert not guildbook.delete_discharge("own 1/ü")
    with pytest.raises(NotFoundError):
        guildbook.read_discharge("own 1/ü")


def test_a_transfer_is_written_read_and_deleted(guildbook: Guildbook) -> None:
    written = guildbook.add_transfer(TRANSFER)
    assert (written.record.date, written.record.to) == (TRANSFER.date, "Harbour Watch")
    assert guildbook.read_transfer(written.record.id) == written
    assert guildbook.get_transfer(written.record.id) == written.record
    assert guildbook.put_transfer(written.record.id, TRANSFER, if_match=written.etag) == written
    assert list(guildbook.transfers(search="rowan")) == [written.record]
    assert guildbook.delete_transfer(written.record.id)
    assert not guildbook.delete_transfer(written.record.id)


def test_records_are_walked_through_with_filters(sample: Guildbook) -> None:
    every = list(sample.discharges())
    assert len(every) > 100
    kind = every[0].type
    assert list(sample.discharges(type=kind)) == [record for record in every if record.type == kind]
    days = sorted({record.date[:10] for record in every})
    middle = date.fromisoformat(days[len(days) // 2])
    assert len(list(sample.discharges(since=middle))) + len(list(sample.discharges(until=middle))) == len(every)
    moment = datetime(middle.year, middle.month, middle.day, tzinfo=timezone.utc)
    assert list(sample.discharges(since=moment)) == list(sample.discharges(since=middle))
    transfers = list(sample.transfers(player_id=sample.list_transfers(limit=1).items[0].player_id))
    assert transfers


def test_a_time_without_a_zone_is_refused(sample: Guildbook) -> None:
    with pytest.raises(ValueError, match="a datetime must have a time zone"):
        sample.list_history(since=datetime(2026, 1, 1))


def test_a_record_under_a_new_id_is_written_once(guildbook: Guildbook) -> None:
    first = guildbook.add_discharge(DISCHARGE)
    second = guildbook.add_discharge(DISCHARGE)
    assert first.record.id != second.record.id
    assert {record.id for record in guildbook.discharges(player_id="48213977")} == {first.record.id, second.record.id}
    for tagged in (first, second):
        assert guildbook.delete_discharge(tagged.record.id)
