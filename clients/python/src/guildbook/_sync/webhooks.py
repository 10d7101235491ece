# Made from _async/webhooks.py by generate.py; do not edit by hand.
from datetime import datetime

from guildbook import _requests as requests
from guildbook._results import CreatedWebhook, WebhookDetails
from guildbook._sync.transport import Transport
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


class WebhookCalls:
    """Calls for the guild's webhooks. Each needs the scope `webhooks:manage`.

    Calls that create, test, replay or rotate are not sent again when their answer is lost, because that would do it
    twice.
    """

    _transport: Transport

    def list_webhooks(self) -> list[Webhook]:
        answer = self._transport.send(requests.get("/guild/webhooks"))
        return answer.parse(ListWebhooksResponse).data.webhooks

    def get_webhook(self, webhook_id: str) -> WebhookDetails:
        """A webhook with its last attempts."""
        answer = self._transport.send(requests.get(_address(webhook_id)))
        data = answer.parse(GetWebhookResponse).data
        return WebhookDetails(data.webhook, data.attempts)

    def create_webhook(self, webhook: NewWebhook) -> CreatedWebhook:
        """The secret is returned only once."""
        answer = self._transport.send(requests.post_once("/guild/webhooks", webhook))
        data = answer.parse(CreateWebhookResponse).data
        return CreatedWebhook(data.webhook, data.secret)

    def change_webhook(self, webhook_id: str, changes: PutWebhookRequest) -> Webhook:
        """Changes the given fields and keeps the others."""
        answer = self._transport.send(requests.put(_address(webhook_id), changes))
        return answer.parse(PutWebhookResponse).data.webhook

    def delete_webhook(self, webhook_id: str) -> None:
        self._transport.send(requests.delete(_address(webhook_id)))

    def test_webhook(self, webhook_id: str) -> WebhookAttempt:
        """Delivers a test event and returns the result of the attempt."""
        answer = self._transport.send(requests.post_once(_address(webhook_id, "test")))
        return answer.parse(TestWebhookResponse).data.attempt

    def replay_webhook(self, webhook_id: str, *, event_id: str | None = None, since: datetime | None = None) -> None:
        """Delivers one event again, or everything since a time."""
        given = {"event_id": event_id, "since": since}
        body = ReplayWebhookRequest.model_validate({name: value for name, value in given.items() if value is not None})
        self._transport.send(requests.post_once(_address(webhook_id, "replay"), body))

    def rotate_webhook(self, webhook_id: str) -> CreatedWebhook:
        """Creates a new secret, which is returned only once. Deliveries have both signatures for 24 hours."""
        answer = self._transport.send(requests.post_once(_address(webhook_id, "rotate")))
        data = answer.parse(RotateWebhookResponse).data
        return CreatedWebhook(data.webhook, data.secret)


def _address(webhook_id: str, *more: str) -> str:
    return requests.path("guild", "webhooks", webhook_id, *more)
