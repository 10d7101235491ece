from itertools import islice

from conftest import BASE_URL

from guildbook import Guildbook


def test_the_feed_is_followed_from_a_number_on(guildbook: Guildbook, own_guild_key: str) -> None:
    """The client sleeps when there is nothing new; the next transaction is posted at that moment."""
    posted = [
        guildbook.post_transaction(player_id="follow", name=f"post {number}", quantity=1, amount=1, source="s")
        for number in range(2)
    ]
    after = guildbook.get_transaction(posted[0].transaction_id).number - 1
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        guildbook.post_transaction(player_id="follow", name=f"late {len(waits)}", quantity=1, amount=1, source="s")

    with Guildbook(BASE_URL, own_guild_key, sleep=sleep) as client:
        entries = list(islice(client.follow_feed(after=after, poll_interval=7), 4))
    assert [entry.name for entry in entries] == ["post 0", "post 1", "late 1", "late 2"]
    assert [entry.number for entry in entries] == list(range(after + 1, after + 5))
    assert waits == [7, 7]
