from concurrent.futures import Future, ThreadPoolExecutor, wait
from decimal import Decimal
from threading import Condition

import httpx2
from conftest import connect
from service import Service, create_key

from guildbook import Guildbook, PostedTransaction

WORKERS = 4
POSTS_PER_WORKER = 20
POSTS = WORKERS * POSTS_PER_WORKER
KILLS = 2


class Progress:
    """Counts answered posts and broken attempts, and lets a thread wait for them."""

    def __init__(self) -> None:
        self._changed = Condition()
        self.posted: list[PostedTransaction] = []
        self.broken = 0

    def add_posted(self, posted: PostedTransaction) -> None:
        with self._changed:
            self.posted.append(posted)
            self._changed.notify_all()

    def add_broken(self) -> None:
        with self._changed:
            self.broken += 1
            self._changed.notify_all()

    def wait_for_posted(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.posted) >= count, timeout=300)

    def wait_for_broken(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.broken >= count, timeout=300)


class LosingTransport(httpx2.HTTPTransport):
    """Loses every third answer, after the service has carried the request out. Counts attempts without an answer."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._answers = 0

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            response = super().handle_request(request)
        except httpx2.TransportError:
            self._progress.add_broken()
            raise
        self._answers += 1
        if self._answers % 3 == 0:
            response.close()
            raise httpx2.ReadError("the answer was lost")
        return response


def test_a_service_that_is_killed_under_posts_loses_and_doubles_nothing_even_when_answers_are_lost(
    service: Service,
) -> None:
    progress = Progress()
    keys = [create_key(service.database_url, "own") for _ in range(WORKERS)]
    with ThreadPoolExecutor(WORKERS) as pool:
        futures: list[Future[None]] = [
            pool.submit(post_share, service.address, key, worker, progress) for worker, key in enumerate(keys)
        ]
        for kill in range(1, KILLS + 1):
            progress.wait_for_posted(POSTS * kill // (KILLS + 1))
            service.kill()
            # Nobody answers now, so each worker's next attempt breaks.
            progress.wait_for_broken(progress.broken + 1)
            service.start()
        wait(futures)
        for future in futures:
            future.result()
    with connect(keys[0], service.address) as client:
        names = [entry.name for entry in client.feed()]
        account = client.get_account("player")
    assert progress.broken >= KILLS
    assert any(posted.replayed for posted in progress.posted)
    assert sorted(names) == sorted(
        name_of(worker, number) for worker in range(WORKERS) for number in range(POSTS_PER_WORKER)
    )
    assert len({posted.transaction_id for posted in progress.posted}) == POSTS
    assert (account.balance, account.transaction_count) == (Decimal(POSTS), POSTS)


def post_share(address: str, key: str, worker: int, progress: Progress) -> None:
    http = httpx2.Client(transport=LosingTransport(progress))
    with http, Guildbook(address, key, retries=10_000, timeout=600, attempt_timeout=120, http=http) as client:
        for number in range(POSTS_PER_WORKER):
            progress.add_posted(
                client.post_transaction(
                    player_id="player", name=name_of(worker, number), quantity=1, amount=1, source="shop"
                )
            )


def name_of(worker: int, number: int) -> str:
    return f"post {worker} {number}"
