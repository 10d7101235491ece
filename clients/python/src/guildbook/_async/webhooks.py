from datetime import datetime

from guildbook import _requests as requests
from guildbook._async.transport import AsyncTransport
from guildbook._results import CreatedWebhook, WebhookDetails
from guildbook.models import (
    CreateWebhookResponse,
    GetWebhookResponse,
    ListWebhooksResponse,
    NewWebhook,
    PutWebhookRequest,
    PutWebhookResponse,
    ReplayWebhookRequest,
    RotateWebhookResponse,
    TestWebhookResponse,
    Webhook,
    WebhookAttempt,
)


class AsyncWebhookCalls:
    """Calls for the guild's webhooks. Each needs the scope `webhooks:manage`.

    Calls that create, test, replay or rotate are not sent again when their answer is lost, because that would do it
    twice.
    """

    _transport: AsyncTransport

    async def list_webhooks(self) -> list[Webhook]:
        answer = await self._transport.send(requests.get("/guild/webhooks"))
        return answer.parse(ListWebhooksResponse).data.webhooks

    async def get_webhook(self, webhook_id: str) -> WebhookDetails:
        """A webhook with its last attempts."""
        answer = await self._transport.send(requests.get(_address(webhook_id)))
        data = answer.parse(GetWebhookResponse).data
        return WebhookDetails(data.webhook, data.attempts)

    async def create_webhook(self, webhook: NewWebhook) -> CreatedWebhook:
        """The secret is returned only once."""
        answer = await self._transport.send(requests.post_once("/guild/webhooks", webhook))
        data = answer.parse(CreateWebhookResponse).data
        return CreatedWebhook(data.webhook, data.secret)

    async def change_webhook(self, webhook_id: str, changes: PutWebhookRequest) -> Webhook:
        """Changes the given fields and keeps the others."""
        answer = await self._transport.send(requests.put(_address(webhook_id), changes))
        return answer.parse(PutWebhookResponse).data.webhook

    async def delete_webhook(self, webhook_id: str) -> None:
        await self._transport.send(requests.delete(_address(webhook_id)))

    async def test_webhook(self, webhook_id: str) -> WebhookAttempt:
        """Delivers a test event and returns the result of the attempt."""
        answer = await self._transport.send(requests.post_once(_address(webhook_id, "test")))
        return answer.parse(TestWebhookResponse).data.attempt

    async def replay_webhook(
        self, webhook_id: str, *, event_id: str | None = None, since: datetime | None = None
    ) -> None:
        """Delivers one event again, or everything since a time."""
        given = {"event_id": event_id, "since": since}
        body = ReplayWebhookRequest.model_validate({name: value for name, value in given.items() if value is not None})
        await self._transport.send(requests.post_once(_address(webhook_id, "replay"), body))

    async def rotate_webhook(self, webhook_id: str) -> CreatedWebhook:
        """Creates a new secret, which is returned only once. Deliveries have both signatures for 24 hours."""
        answer = await self._transport.send(requests.post_once(_address(webhook_id, "rotate")))
        data = answer.parse(RotateWebhookResponse).data
        return CreatedWebhook(data.webhook, data.secret)


def _address(webhook_id: str, *more: str) -> str:
    return requests.path("guild", "webhooks", webhook_id, *more)
