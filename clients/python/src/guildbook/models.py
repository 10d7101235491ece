"""What the interface sends and takes. Made from docs/openapi.json by generate.py; do not edit by hand."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from pydantic import AwareDatetime, Field, RootModel
from guildbook._model import Model
from decimal import Decimal


class Account(Model):
    player_id: Annotated[str, Field(alias="playerId")]
    """
    The player.
    """
    balance: Decimal
    """
    The sum of all totals.
    """
    transaction_count: Annotated[int, Field(alias="transactionCount")]
    """
    Number of transactions of the account.
    """
    last_transaction_at: Annotated[
        AwareDatetime | None, Field(alias="lastTransactionAt")
    ]
    """
    Time of the last one; null when there is none.
    """


class ApiKey(Model):
    id: str
    """
    Identifier of the key.
    """
    name: str
    """
    Name of the key.
    """
    prefix: str
    """
    First characters of the value.
    """
    guild_id: Annotated[str, Field(alias="guildId")]
    """
    The guild it opens.
    """
    scopes: list[str]
    """
    Scopes of the key.
    """
    created_at: Annotated[AwareDatetime, Field(alias="createdAt")]
    """
    When it was made.
    """
    expires_at: Annotated[AwareDatetime, Field(alias="expiresAt")]
    """
    When it expires.
    """
    last_used_at: Annotated[AwareDatetime | None, Field(alias="lastUsedAt")]
    """
    When it was last used, exact to some seconds; null for never.
    """
    limits: ApiKeyLimits
    """
    Scopes that the key may have at most.
    """
    route_limits: Annotated[list[ApiKeyRouteLimit], Field(alias="routeLimits")]
    """
    Limits of single routes, beside those that a route has for every key. None for no such limits.
    """


class ApiKeyLimits(Model):
    """
    Scopes that the key may have at most.
    """

    amount_max: Annotated[Decimal | None, Field(alias="amountMax")]
    """
    The largest total of one transaction, deposit or withdrawal; null for any.
    """
    withdrawn_per_day_max: Annotated[Decimal | None, Field(alias="withdrawnPerDayMax")]
    """
    How much the key may withdraw on one day in UTC; null for any amount.
    """


class ApiKeyRouteLimit(Model):
    route: str
    """
    The `operationId` of the route.
    """
    limit: int
    """
    Requests that are answered.
    """
    per: str
    """
    In any second, or in any 60 seconds.
    """


class BalanceData(Model):
    player_id: Annotated[str, Field(alias="playerId")]
    """
    The player.
    """
    balance: Decimal
    """
    The balance right after the transaction.
    """
    balance_below: Annotated[Decimal, Field(alias="balanceBelow")]
    """
    The limit that it fell below, as the webhook has it.
    """
    transaction: LedgerEntry


class BalanceEvent(Model):
    type: Literal["balance.below"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: BalanceData | TruncatedBalance


class BareError(Model):
    message: str
    """
    What went wrong, for people.
    """


class BatchItem(Model):
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the player on the game platform.
    """
    name: str
    """
    Transaction name, such as the item.
    """
    quantity: int
    """
    Number of items.
    """
    amount: Decimal
    """
    Amount per item with at most 4 decimal places: positive for a deposit, negative for a withdrawal, never zero.
    """
    source: str
    """
    Source of the transaction.
    """
    deposit: bool | None = None
    """
    When true, asserts a deposit: a negative amount is then refused.
    """
    withdrawal: bool | None = None
    """
    When true, asserts a withdrawal: a positive amount is then refused.
    """
    reference: str | None = None
    """
    What the caller knows the transaction by, such as an order. Several transactions may share one.
    """
    metadata: dict[str, str] | None = None
    """
    Facts of your own, by name: up to 16, with names of 1 to 64 letters, digits, `_`, `.` and `-`, texts of up to 256 characters, and 2 KiB in total.
    """
    idempotency_key: Annotated[str | None, Field(alias="idempotencyKey")] = None
    """
    Same as the header of that name, for this item alone.
    """


class BatchResult(Model):
    status: str
    """
    skipped: left out because another item of an atomic batch was refused.
    """
    transaction_id: Annotated[str | None, Field(alias="transactionId")]
    """
    The transaction, where there is one.
    """
    balance: Decimal | None
    """
    The balance right after it.
    """
    code: str | None
    """
    Why it was refused, for programs.
    """
    message: str | None
    """
    Why it was refused, for people.
    """


class BotCommand(Model):
    category: str
    """
    Category of the command.
    """
    name: str
    """
    Command name.
    """
    description: str
    """
    Short description.
    """
    extended_help: Annotated[str, Field(alias="extendedHelp")]
    """
    Long help text.
    """
    preconditions: list[str]
    """
    Conditions for using the command.
    """


class CodedError(Model):
    success: Literal[False]
    message: str
    """
    What went wrong, for people.
    """
    code: str
    """
    What went wrong, for programs: one of a closed list.
    """
    data: Any | None = None
    """
    Details of the error, such as the transaction that conflicts.
    """


class CreateWebhookResponse(Model):
    success: Literal[True]
    data: CreateWebhookResponseData


class CreateWebhookResponseData(Model):
    webhook: Webhook
    secret: str | None
    """
    Verifies deliveries. It is shown this once; null for a chat channel.
    """


class DeleteDischargeRecordResponse(Model):
    success: Literal[True]
    data: dict[str, Any]
    """
    Empty.
    """


class DeleteKeyResponse(Model):
    success: Literal[True]
    data: dict[str, Any]
    """
    Empty.
    """


class DeleteTransferRecordResponse(Model):
    success: Literal[True]
    data: dict[str, Any]
    """
    Empty.
    """


class DeleteWebhookResponse(Model):
    success: Literal[True]
    data: DeleteWebhookResponseData


class DeleteWebhookResponseData(Model):
    id: str
    """
    Identifier of what was deleted.
    """


class Discharge(Model):
    id: str
    """
    Identifier of the discharge.
    """
    guild_id: Annotated[str, Field(alias="guildId")]
    """
    Guild that owns the record.
    """
    chat_id: Annotated[str, Field(alias="chatId")]
    """
    Identifier of the person on the chat platform.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the person on the game platform.
    """
    name: str
    """
    Name of the person.
    """
    reason: str
    """
    Reason of the discharge.
    """
    date: str
    """
    Date of the discharge, ISO 8601. A plain date stays a plain date.
    """
    type: str
    """
    Kind of discharge, free text.
    """
    from_: Annotated[str, Field(alias="from")]
    """
    Origin of the discharge, such as the unit left.
    """
    signed: str
    """
    Who signed it.
    """


class DischargeEvent(Model):
    type: Literal["discharge.created", "discharge.updated", "discharge.deleted"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: Discharge | TruncatedRecord


class Error(Model):
    success: Literal[False]
    message: str
    """
    What went wrong, for people.
    """


class GetAccountResponse(Model):
    success: Literal[True]
    data: Account


class GetConsistencyResponse(Model):
    success: Literal[True]
    data: GetConsistencyResponseData


class GetConsistencyResponseData(Model):
    from_: Annotated[int, Field(alias="from")]
    """
    The size of the older checkpoint.
    """
    size: int
    """
    The size of the present one.
    """
    proof: list[str]
    """
    The consistency proof in base64, as in RFC 6962.
    """
    checkpoint: str
    """
    The signed size and root of the log, as in c2sp.org/tlog-checkpoint.
    """


class GetDischargeRecordResponse(Model):
    success: Literal[True]
    data: GetDischargeRecordResponseData


class GetDischargeRecordResponseData(Model):
    record: Discharge


class GetDischargeResponse(Model):
    success: Literal[True]
    data: Discharge


class GetKeyResponse(Model):
    success: Literal[True]
    data: GetKeyResponseData


class GetKeyResponseData(Model):
    key: ApiKey


class GetKeyUsageResponse(Model):
    success: Literal[True]
    data: GetKeyUsageResponseData


class GetKeyUsageResponseData(Model):
    since: AwareDatetime
    """
    The time from which on requests are counted.
    """
    hours: list[KeyHour]
    """
    Ordered by hour, route and code. Counts above zero only.
    """


class GetReceiptResponse(Model):
    success: Literal[True]
    data: GetReceiptResponseData


class GetReceiptResponseData(Model):
    receipt: Receipt


class GetSealResponse(Model):
    success: Literal[True]
    data: GetSealResponseData


class GetSealResponseData(Model):
    origin: str
    """
    Identifies the log: the first line of its checkpoints and the name of its keys.
    """
    verifier_keys: Annotated[list[str], Field(alias="verifierKeys")]
    """
    The keys that check the signatures, the newest first. Keep them somewhere else.
    """
    first_number: Annotated[int, Field(alias="firstNumber")]
    """
    The number of the transaction that is the first leaf.
    """
    size: int
    """
    The number of sealed transactions.
    """
    behind: int
    """
    Transactions that are not sealed yet.
    """
    sealed_at: Annotated[str | None, Field(alias="sealedAt")]
    """
    When it was last sealed; null before the first time.
    """
    checkpoint: str | None
    """
    The signed size and root of the log, as in c2sp.org/tlog-checkpoint.
    """


class GetTransactionResponse(Model):
    success: Literal[True]
    data: GetTransactionResponseData


class GetTransactionResponseData(Model):
    transaction: LedgerEntry


class GetTransferRecordResponse(Model):
    success: Literal[True]
    data: GetTransferRecordResponseData


class GetTransferRecordResponseData(Model):
    record: Transfer


class GetVerificationResponse(Model):
    success: Literal[True]
    data: Verification


class GetWebhookResponse(Model):
    success: Literal[True]
    data: GetWebhookResponseData


class GetWebhookResponseData(Model):
    webhook: Webhook
    attempts: list[WebhookAttempt]


class Guild(Model):
    guild_id: Annotated[str, Field(alias="guildId")]
    """
    The guild's id on the chat platform.
    """
    name: str
    """
    The guild's name.
    """
    icon: str | None
    """
    Its picture.
    """
    owner_chat_id: Annotated[str | None, Field(alias="ownerChatId")]
    """
    The owner's chatId.
    """
    plan: str
    """
    The plan.
    """
    plan_until: Annotated[str | None, Field(alias="planUntil")]
    """
    When the plan ends.
    """
    settings: GuildSettings
    created_at: Annotated[str, Field(alias="createdAt")]
    """
    When the service first heard of it.
    """


class GuildSettings(Model):
    overdraft_allowed: Annotated[bool, Field(alias="overdraftAllowed")]


class ImportLine(Model):
    line: int
    """
    Number of the line, counted from 1.
    """
    outcome: str
    """
    Outcome of the record.
    """
    reason: str | None = None
    """
    Why it was rejected.
    """


class ImportedDischarge(Model):
    id: str
    """
    Identifier of the discharge.
    """
    guild_id: Annotated[str | None, Field(alias="guildId")] = None
    """
    The guild it belongs to; may be left out when one is named for all.
    """
    chat_id: Annotated[str, Field(alias="chatId")]
    """
    Identifier of the person on the chat platform.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the person on the game platform.
    """
    name: str
    """
    Name of the person.
    """
    reason: str
    """
    Reason of the discharge.
    """
    date: str
    """
    Date of the discharge, ISO 8601. A plain date stays a plain date.
    """
    type: str
    """
    Kind of discharge, free text.
    """
    from_: Annotated[str, Field(alias="from")]
    """
    Origin of the discharge, such as the unit left.
    """
    signed: str
    """
    Who signed it.
    """


class ImportedTransaction(Model):
    guild_id: Annotated[str | None, Field(alias="guildId")] = None
    """
    The guild it belongs to; may be left out when one is named for all.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Player whose account it belongs to.
    """
    transaction_id: Annotated[str, Field(alias="transactionId")]
    amount: Decimal
    """
    Amount per item with at most 4 decimal places: positive for a deposit, negative for a withdrawal, never zero.
    """
    quantity: int
    """
    Number of items.
    """
    name: str
    """
    Transaction name, such as the item.
    """
    source: str
    """
    Source of the transaction.
    """
    total: Decimal | None = None
    """
    When given, amount times quantity.
    """
    created_at: Annotated[AwareDatetime, Field(alias="createdAt")]
    number: int | None = None
    """
    As it was exported; an import gives new numbers.
    """
    reference: str | None = None
    """
    What the caller knows the transaction by, such as an order. Several transactions may share one.
    """
    metadata: dict[str, str] | None = None
    """
    Facts of your own, by name: up to 16, with names of 1 to 64 letters, digits, `_`, `.` and `-`, texts of up to 256 characters, and 2 KiB in total.
    """
    payment_id: Annotated[str | None, Field(alias="paymentId")] = None
    """
    The payment that it is one side of.
    """
    reverses: str | None = None
    """
    The transaction that it takes back, which has to come before it.
    """


class ImportedTransfer(Model):
    id: str
    """
    Identifier of the transfer.
    """
    guild_id: Annotated[str | None, Field(alias="guildId")] = None
    """
    The guild it belongs to; may be left out when one is named for all.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the person on the game platform.
    """
    name: str
    """
    Name of the person.
    """
    date: AwareDatetime
    """
    Time of the transfer, ISO 8601 in UTC.
    """
    from_: Annotated[str, Field(alias="from")]
    """
    Origin of the transfer.
    """
    to: str
    """
    Target of the transfer.
    """
    signed: str
    """
    Who signed it.
    """


class ImportedVerification(Model):
    chat_id: Annotated[str, Field(alias="chatId")]
    """
    Identifier on the chat platform.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier on the game platform.
    """
    username: str
    """
    Current user name.
    """
    past_users: Annotated[list[PastUser] | None, Field(alias="pastUsers")] = None
    """
    Earlier game accounts, newest first.
    """


class KeyData(Model):
    id: str
    """
    Identifier of the key.
    """
    name: str
    """
    Name of the key.
    """
    prefix: str
    """
    First characters of the value.
    """
    scopes: list[str]
    """
    Scopes of the key.
    """
    expires_at: Annotated[AwareDatetime, Field(alias="expiresAt")]
    """
    When it expires.
    """


class KeyEvent(Model):
    type: Literal["key.created", "key.deleted", "key.expiring"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: KeyData | TruncatedRecord


class KeyHour(Model):
    hour: AwareDatetime
    """
    The beginning of the hour.
    """
    route: str
    """
    The `operationId` of the route; empty for a whole day that was counted without routes.
    """
    code: str
    """
    The code of the refusal; `ok` for requests that were not refused.
    """
    count: int
    """
    The number of requests.
    """


class KeyRequest(Model):
    request_id: Annotated[str, Field(alias="requestId")]
    """
    The `x-request-id` of its answer.
    """
    at: AwareDatetime
    """
    When it was answered.
    """
    method: str
    """
    The method.
    """
    route: str
    """
    The `operationId` of its route.
    """
    path: str
    """
    The path, and those parameters of the query that the route has. Texts that may be secret are left out.
    """
    status: int
    """
    The status of the answer.
    """
    code: str | None
    """
    The code of the refusal; null when it was not refused.
    """
    message: str | None
    """
    The text of the refusal; null when it was not refused.
    """
    duration_ms: Annotated[int, Field(alias="durationMs")]
    """
    Time until the answer, in milliseconds.
    """
    address: str
    """
    The address of the client.
    """
    user_agent: Annotated[str, Field(alias="userAgent")]
    """
    The header `user-agent`.
    """


class LedgerEntry(Model):
    transaction_id: Annotated[str, Field(alias="transactionId")]
    """
    Identifier of the transaction.
    """
    amount: Decimal
    """
    Amount per item: positive is a deposit, negative a withdrawal.
    """
    quantity: int
    """
    Number of items.
    """
    name: str
    """
    Transaction name.
    """
    source: str
    """
    Source of the transaction.
    """
    total: Decimal
    """
    amount times quantity, signed.
    """
    created_at: Annotated[AwareDatetime, Field(alias="createdAt")]
    """
    Creation time, ISO 8601 in UTC.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Player whose account it belongs to.
    """
    number: int
    """
    Its number in the guild: 1, 2, 3, ... without gaps, in the order of commits.
    """
    balance_after: Annotated[Decimal, Field(alias="balanceAfter")]
    """
    The balance right after it.
    """
    type: str
    """
    Deposit or withdrawal, from the sign of the amount.
    """
    reverses: str | None
    """
    The transaction that this one takes back.
    """
    reversed_by: Annotated[str | None, Field(alias="reversedBy")]
    """
    The transaction that takes this one back.
    """
    payment_id: Annotated[str | None, Field(alias="paymentId")]
    """
    The payment that it is one side of.
    """
    reference: str | None
    """
    As it was posted.
    """
    metadata: dict[str, Any] | None
    """
    As it was posted, with its names in order.
    """
    posted_by: Annotated[LedgerEntryPostedBy, Field(alias="postedBy")]
    """
    Who posted it.
    """


class LedgerEntryPostedBy(Model):
    """
    Who posted it.
    """

    kind: str
    """
    A key, a person in the dashboard, or an import.
    """
    id: str | None
    """
    Id of the key, or chatId of the person.
    """
    name: str | None
    """
    Name of the key or the person, where known.
    """


class LedgerTransaction(Model):
    transaction_id: Annotated[str, Field(alias="transactionId")]
    """
    Identifier of the transaction.
    """
    amount: Decimal
    """
    Amount per item: positive is a deposit, negative a withdrawal.
    """
    quantity: int
    """
    Number of items.
    """
    name: str
    """
    Transaction name.
    """
    source: str
    """
    Source of the transaction.
    """
    total: Decimal
    """
    amount times quantity, signed.
    """
    created_at: Annotated[AwareDatetime, Field(alias="createdAt")]
    """
    Creation time, ISO 8601 in UTC.
    """


class ListAccountsResponse(Model):
    success: Literal[True]
    data: ListAccountsResponseData


class ListAccountsResponseData(Model):
    accounts: list[RankedAccount]
    next_cursor: Annotated[str | None, Field(alias="nextCursor")]
    """
    The `cursor` of the next page; null at the end.
    """


class ListCommandsResponse(Model):
    success: Literal[True]
    data: list[BotCommand]


class ListDischargeRecordsResponse(Model):
    success: Literal[True]
    data: ListDischargeRecordsResponseData


class ListDischargeRecordsResponseData(Model):
    records: list[Discharge]
    next_cursor: Annotated[str | None, Field(alias="nextCursor")]
    """
    The `cursor` of the next page; null at the end.
    """


class ListHistoryResponse(Model):
    success: Literal[True]
    data: ListHistoryResponseData


class ListHistoryResponseData(Model):
    transactions: list[LedgerEntry]
    next_cursor: Annotated[str | None, Field(alias="nextCursor")]
    """
    The `cursor` of the next page; null at the end.
    """


class ListKeyRequestsResponse(Model):
    success: Literal[True]
    data: ListKeyRequestsResponseData


class ListKeyRequestsResponseData(Model):
    requests: list[KeyRequest]
    next_cursor: Annotated[str | None, Field(alias="nextCursor")]
    """
    The `cursor` of the next page; null at the end.
    """


class ListTransactionsResponse(Model):
    success: Literal[True]
    data: ListTransactionsResponseData
    pagination: Pagination


class ListTransactionsResponseData(Model):
    player_id: Annotated[str, Field(alias="playerId")]
    """
    The player asked for.
    """
    transactions: list[LedgerTransaction]


class ListTransferRecordsResponse(Model):
    success: Literal[True]
    data: ListTransferRecordsResponseData


class ListTransferRecordsResponseData(Model):
    records: list[Transfer]
    next_cursor: Annotated[str | None, Field(alias="nextCursor")]
    """
    The `cursor` of the next page; null at the end.
    """


class ListWebhooksResponse(Model):
    success: Literal[True]
    data: ListWebhooksResponseData


class ListWebhooksResponseData(Model):
    webhooks: list[Webhook]


class NewPayment(Model):
    from_player_id: Annotated[str, Field(alias="fromPlayerId")]
    """
    Who pays.
    """
    to_player_id: Annotated[str, Field(alias="toPlayerId")]
    """
    Who is paid.
    """
    amount: Decimal
    """
    Above zero, with at most 4 decimal places.
    """
    name: str
    """
    Transaction name, such as the item.
    """
    source: str
    """
    Source of the transaction.
    """
    reference: str | None = None
    """
    What the caller knows the transaction by, such as an order. Several transactions may share one.
    """
    metadata: dict[str, str] | None = None
    """
    Facts of your own, by name: up to 16, with names of 1 to 64 letters, digits, `_`, `.` and `-`, texts of up to 256 characters, and 2 KiB in total.
    """


class NewTransaction(Model):
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the player on the game platform.
    """
    name: str
    """
    Transaction name, such as the item.
    """
    quantity: int
    """
    Number of items.
    """
    amount: Decimal
    """
    Amount per item with at most 4 decimal places: positive for a deposit, negative for a withdrawal, never zero.
    """
    source: str
    """
    Source of the transaction.
    """
    deposit: bool | None = None
    """
    When true, asserts a deposit: a negative amount is then refused.
    """
    withdrawal: bool | None = None
    """
    When true, asserts a withdrawal: a positive amount is then refused.
    """


class NewWebhook(Model):
    name: str | None = None
    """
    A name for people, such as the program that listens; null for none.
    """
    url: str
    """
    Where events are delivered. It begins with https:// and must resolve to an address on the public Internet.
    """
    kind: str
    """
    `standard` is signed as Standard Webhooks say; `discord` writes messages into a channel of the chat platform.
    """
    events: list[str]
    """
    Events to send; a name that ends in `.*` means all events of its group.
    """
    filter: NewWebhookFilter | None = None


class NewWebhookFilter(Model):
    source: str | None = None
    """
    Only money from this source.
    """
    min_total: Annotated[Decimal | None, Field(alias="minTotal")] = None
    """
    Only money that moves at least this much, in or out.
    """
    player_id: Annotated[str | None, Field(alias="playerId")] = None
    """
    Only what is about this player.
    """
    balance_below: Annotated[Decimal | None, Field(alias="balanceBelow")] = None
    """
    `balance.below` is sent when a balance falls below this; 0 when absent.
    """


class Pagination(Model):
    page: int
    """
    Current page number.
    """
    limit: int
    """
    Results per page.
    """
    total: int
    """
    Number of matches on all pages.
    """
    total_pages: Annotated[int, Field(alias="totalPages")]
    """
    Number of pages; 0 when nothing matches.
    """


class PastUser(Model):
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the earlier account on the game platform.
    """
    username: str
    """
    User name of the earlier account.
    """


class PaymentData(Model):
    payment_id: Annotated[str, Field(alias="paymentId")]
    """
    The payment.
    """
    from_: Annotated[LedgerEntry, Field(alias="from")]
    to: LedgerEntry


class PaymentEvent(Model):
    type: Literal["payment.posted"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: PaymentData | TruncatedPayment


class PostBatchRequest(Model):
    atomic: bool | None = True
    """
    All items or none; false lets each succeed or fail on its own.
    """
    transactions: list[BatchItem]
    """
    Posted in this order.
    """


class PostBatchResponse(Model):
    success: Literal[True]
    data: PostBatchResponseData


class PostBatchResponseData(Model):
    results: list[BatchResult]


class PostDischargeRecordRequest(Model):
    id: str | None = None
    """
    When given, the same as in the address.
    """
    guild_id: Annotated[str | None, Field(alias="guildId")] = None
    """
    When given, the same as in the address.
    """
    chat_id: Annotated[str, Field(alias="chatId")]
    """
    Identifier of the person on the chat platform.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the person on the game platform.
    """
    name: str
    """
    Name of the person.
    """
    reason: str
    """
    Reason of the discharge.
    """
    date: str
    """
    Date of the discharge, ISO 8601. A plain date stays a plain date.
    """
    type: str
    """
    Kind of discharge, free text.
    """
    from_: Annotated[str, Field(alias="from")]
    """
    Origin of the discharge, such as the unit left.
    """
    signed: str
    """
    Who signed it.
    """


class PostDischargeRecordResponse(Model):
    success: Literal[True]
    data: PostDischargeRecordResponseData


class PostDischargeRecordResponseData(Model):
    record: Discharge


class PostPaymentResponse(Model):
    success: Literal[True]
    data: PostPaymentResponseData


class PostPaymentResponseData(Model):
    payment_id: Annotated[str, Field(alias="paymentId")]
    """
    Identifier of the payment.
    """
    from_: Annotated[PostPaymentResponseDataFrom, Field(alias="from")]
    to: PostPaymentResponseDataTo


class PostPaymentResponseDataFrom(Model):
    transaction_id: Annotated[str, Field(alias="transactionId")]
    """
    The transaction of this side.
    """
    balance: Decimal
    """
    The balance right after it.
    """


class PostPaymentResponseDataTo(Model):
    transaction_id: Annotated[str, Field(alias="transactionId")]
    """
    The transaction of this side.
    """
    balance: Decimal
    """
    The balance right after it.
    """


class PostReversalRequest(Model):
    reason: str | None = None
    """
    Why it is taken back; kept in the metadata of the reversal.
    """


class PostReversalResponse(Model):
    success: Literal[True]
    data: PostReversalResponseData


class PostReversalResponseData(Model):
    transaction: LedgerEntry
    reversed: LedgerEntry


class PostReversalsRequest(Model):
    transaction_ids: Annotated[list[str], Field(alias="transactionIds")]
    """
    All of them are reversed, or none.
    """
    reason: str | None = None
    """
    Why it is taken back; kept in the metadata of the reversal.
    """


class PostReversalsResponse(Model):
    success: Literal[True]
    data: PostReversalsResponseData


class PostReversalsResponseData(Model):
    transactions: list[LedgerEntry]


class PostTransactionResponse(Model):
    success: Literal[True]
    message: str
    type: str


class PostTransferRecordRequest(Model):
    id: str | None = None
    """
    When given, the same as in the address.
    """
    guild_id: Annotated[str | None, Field(alias="guildId")] = None
    """
    When given, the same as in the address.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the person on the game platform.
    """
    name: str
    """
    Name of the person.
    """
    date: AwareDatetime
    """
    Time of the transfer, ISO 8601 in UTC.
    """
    from_: Annotated[str, Field(alias="from")]
    """
    Origin of the transfer.
    """
    to: str
    """
    Target of the transfer.
    """
    signed: str
    """
    Who signed it.
    """


class PostTransferRecordResponse(Model):
    success: Literal[True]
    data: PostTransferRecordResponseData


class PostTransferRecordResponseData(Model):
    record: Transfer


class PutDischargeRecordRequest(Model):
    id: str | None = None
    """
    When given, the same as in the address.
    """
    guild_id: Annotated[str | None, Field(alias="guildId")] = None
    """
    When given, the same as in the address.
    """
    chat_id: Annotated[str, Field(alias="chatId")]
    """
    Identifier of the person on the chat platform.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the person on the game platform.
    """
    name: str
    """
    Name of the person.
    """
    reason: str
    """
    Reason of the discharge.
    """
    date: str
    """
    Date of the discharge, ISO 8601. A plain date stays a plain date.
    """
    type: str
    """
    Kind of discharge, free text.
    """
    from_: Annotated[str, Field(alias="from")]
    """
    Origin of the discharge, such as the unit left.
    """
    signed: str
    """
    Who signed it.
    """


class PutDischargeRecordResponse(Model):
    success: Literal[True]
    data: PutDischargeRecordResponseData


class PutDischargeRecordResponseData(Model):
    record: Discharge


class PutTransferRecordRequest(Model):
    id: str | None = None
    """
    When given, the same as in the address.
    """
    guild_id: Annotated[str | None, Field(alias="guildId")] = None
    """
    When given, the same as in the address.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the person on the game platform.
    """
    name: str
    """
    Name of the person.
    """
    date: AwareDatetime
    """
    Time of the transfer, ISO 8601 in UTC.
    """
    from_: Annotated[str, Field(alias="from")]
    """
    Origin of the transfer.
    """
    to: str
    """
    Target of the transfer.
    """
    signed: str
    """
    Who signed it.
    """


class PutTransferRecordResponse(Model):
    success: Literal[True]
    data: PutTransferRecordResponseData


class PutTransferRecordResponseData(Model):
    record: Transfer


class PutWebhookRequest(Model):
    name: str | None = None
    """
    A name for people, such as the program that listens; null for none.
    """
    url: str | None = None
    """
    Where events are delivered. It begins with https:// and must resolve to an address on the public Internet.
    """
    kind: str | None = None
    """
    `standard` is signed as Standard Webhooks say; `discord` writes messages into a channel of the chat platform.
    """
    events: list[str] | None = None
    """
    Events to send; a name that ends in `.*` means all events of its group.
    """
    filter: PutWebhookRequestFilter | None = None
    status: str | None = None
    """
    A disabled endpoint gets nothing: it answered 410, failed for five days, or was switched off. Set it to `active` to begin again from then on.
    """


class PutWebhookRequestFilter(Model):
    source: str | None = None
    """
    Only money from this source.
    """
    min_total: Annotated[Decimal | None, Field(alias="minTotal")] = None
    """
    Only money that moves at least this much, in or out.
    """
    player_id: Annotated[str | None, Field(alias="playerId")] = None
    """
    Only what is about this player.
    """
    balance_below: Annotated[Decimal | None, Field(alias="balanceBelow")] = None
    """
    `balance.below` is sent when a balance falls below this; 0 when absent.
    """


class PutWebhookResponse(Model):
    success: Literal[True]
    data: PutWebhookResponseData


class PutWebhookResponseData(Model):
    webhook: Webhook


class RankedAccount(Model):
    rank: int | None
    """
    Place in the list, counted from 1; null where players were named.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    The player.
    """
    balance: Decimal
    """
    The sum of all totals.
    """
    transaction_count: Annotated[int, Field(alias="transactionCount")]
    """
    Number of transactions of the account.
    """
    last_transaction_at: Annotated[
        AwareDatetime | None, Field(alias="lastTransactionAt")
    ]
    """
    Time of the last one; null when there is none.
    """


class ReadFeedResponse(Model):
    success: Literal[True]
    data: ReadFeedResponseData


class ReadFeedResponseData(Model):
    transactions: list[LedgerEntry]


class Receipt(Model):
    origin: str
    """
    Identifies the log: the first line of its checkpoints and the name of its keys.
    """
    index: int
    """
    The place of the leaf in the log, from 0.
    """
    transaction: SealedTransaction
    proof: list[str]
    """
    The inclusion proof in base64, from the sibling of the leaf to the child of the root.
    """
    checkpoint: str
    """
    The signed size and root of the log, as in c2sp.org/tlog-checkpoint.
    """
    verifier_key: Annotated[str, Field(alias="verifierKey")]
    """
    The key that checks the signature. Compare it with the one that you know.
    """


class RefusalEvent(Model):
    type: Literal["key.refused"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: RefusalEventData


class RefusalEventData(Model):
    id: str
    """
    Identifier of the key.
    """
    name: str
    """
    Name of the key.
    """
    refused: int
    """
    Its refused requests in this hour so far.
    """
    hour: AwareDatetime
    """
    The beginning of the hour.
    """


class ReplayWebhookRequest(Model):
    since: AwareDatetime | None = None
    """
    Everything from this time on, at most 30 days back.
    """
    event_id: Annotated[str | None, Field(alias="eventId")] = None
    """
    One event, by its `webhook-id`.
    """


class ReplayWebhookResponse(Model):
    success: Literal[True]
    data: ReplayWebhookResponseData


class ReplayWebhookResponseData(Model):
    webhook: Webhook


class RotateWebhookResponse(Model):
    success: Literal[True]
    data: RotateWebhookResponseData


class RotateWebhookResponseData(Model):
    webhook: Webhook
    secret: str
    """
    The new secret, shown this once.
    """


class SealedData(Model):
    origin: str
    """
    Identifies the log.
    """
    size: int
    """
    The number of sealed transactions.
    """
    root: str
    """
    The root hash in base64.
    """
    checkpoint: str
    """
    The signed size and root, as in c2sp.org/tlog-checkpoint. Keep it.
    """


class SealedEvent(Model):
    type: Literal["ledger.sealed"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: SealedData


class SealedTransaction(Model):
    """
    The transaction as it was sealed. Its canonical JSON (RFC 8785) is the leaf.
    """

    amount: str
    """
    Amount of one, as a decimal.
    """
    balance_after: Annotated[str, Field(alias="balanceAfter")]
    """
    The balance right after it, as a decimal.
    """
    created_at: Annotated[str, Field(alias="createdAt")]
    """
    Time in UTC, with milliseconds.
    """
    metadata: dict[str, Any] | None
    """
    As it was posted.
    """
    name: str
    """
    As it was posted.
    """
    number: int
    """
    Its number in the guild.
    """
    payment_id: Annotated[str | None, Field(alias="paymentId")]
    """
    The payment that it is one side of.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Player whose account it belongs to.
    """
    posted_by: Annotated[SealedTransactionPostedBy, Field(alias="postedBy")]
    quantity: int
    """
    As it was posted.
    """
    reference: str | None
    """
    As it was posted.
    """
    reverses: str | None
    """
    The transaction that this one takes back.
    """
    source: str
    """
    As it was posted.
    """
    total: str
    """
    Amount times quantity, as a decimal.
    """
    transaction_id: Annotated[str, Field(alias="transactionId")]
    """
    Its id.
    """


class SealedTransactionPostedBy(Model):
    id: str | None
    """
    Id of the key, or chatId of the person; null for an import.
    """
    kind: str
    """
    `key`, `user` or `import`.
    """


class TestData(Model):
    message: str
    """
    A sentence for people.
    """
    webhook_id: Annotated[str, Field(alias="webhookId")]
    """
    The webhook under test.
    """


class TestEvent(Model):
    type: Literal["webhook.test"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: TestData


class TestWebhookResponse(Model):
    success: Literal[True]
    data: TestWebhookResponseData


class TestWebhookResponseData(Model):
    attempt: WebhookAttempt


class TransactionEvent(Model):
    type: Literal["transaction.posted", "transaction.reversed"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: LedgerEntry | TruncatedTransaction


class Transfer(Model):
    id: str
    """
    Identifier of the transfer.
    """
    guild_id: Annotated[str, Field(alias="guildId")]
    """
    Guild that owns the record.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier of the person on the game platform.
    """
    name: str
    """
    Name of the person.
    """
    date: AwareDatetime
    """
    Time of the transfer, ISO 8601 in UTC.
    """
    from_: Annotated[str, Field(alias="from")]
    """
    Origin of the transfer.
    """
    to: str
    """
    Target of the transfer.
    """
    signed: str
    """
    Who signed it.
    """


class TransferEvent(Model):
    type: Literal["transfer.created", "transfer.updated", "transfer.deleted"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: Transfer | TruncatedRecord


class TruncatedBalance(Model):
    player_id: Annotated[str, Field(alias="playerId")]
    """
    The player.
    """
    balance: Decimal
    """
    The balance right after the transaction.
    """
    truncated: Literal[True]
    """
    The rest was left out: read it by its id.
    """


class TruncatedPayment(Model):
    payment_id: Annotated[str, Field(alias="paymentId")]
    """
    The payment.
    """
    truncated: Literal[True]
    """
    The rest was left out: read it by its id.
    """


class TruncatedRecord(Model):
    id: str
    """
    The record.
    """
    chat_id: Annotated[str | None, Field(alias="chatId")] = None
    """
    The person, where the record has one.
    """
    truncated: Literal[True]
    """
    The rest was left out: read it by its id.
    """


class TruncatedTransaction(Model):
    transaction_id: Annotated[str, Field(alias="transactionId")]
    """
    The transaction.
    """
    truncated: Literal[True]
    """
    The rest was left out: read it by its id.
    """


class TruncatedVerification(Model):
    chat_id: Annotated[str, Field(alias="chatId")]
    """
    The person.
    """
    truncated: Literal[True]
    """
    The rest was left out: read it by its id.
    """


class Verification(Model):
    chat_id: Annotated[str, Field(alias="chatId")]
    """
    Identifier on the chat platform.
    """
    player_id: Annotated[str, Field(alias="playerId")]
    """
    Identifier on the game platform.
    """
    username: str
    """
    Current user name.
    """
    past_users: Annotated[list[PastUser], Field(alias="pastUsers")]
    """
    Earlier game accounts, newest first.
    """


class VerificationData(Model):
    chat_id: Annotated[str, Field(alias="chatId")]
    """
    The person.
    """
    player_id: Annotated[str | None, Field(alias="playerId")]
    """
    Null when the verification was deleted.
    """
    username: str | None
    """
    Null when the verification was deleted.
    """
    past_users: Annotated[list[PastUser], Field(alias="pastUsers")]
    """
    Earlier game accounts, newest first.
    """


class VerificationEvent(Model):
    type: Literal["verification.changed"]
    """
    Kind of the change.
    """
    timestamp: AwareDatetime
    """
    When it happened.
    """
    data: VerificationData | TruncatedVerification


class Webhook(Model):
    id: str
    """
    Identifier of the webhook.
    """
    url: str
    """
    The address; that of a chat channel without its token.
    """
    name: str | None = None
    """
    Its name; null for none.
    """
    kind: str
    """
    `standard` is signed as Standard Webhooks say; `discord` writes messages into a channel of the chat platform.
    """
    events: list[str]
    """
    Events that are sent.
    """
    filter: WebhookFilter
    status: str
    """
    A disabled endpoint gets nothing: it answered 410, failed for five days, or was switched off. Set it to `active` to begin again from then on.
    """
    unreadable: str | None
    """
    Null while the service can read what it needs for a delivery. `secret`: it cannot read the secret any more, and delivers nothing until the secret is rotated. `url`: the same for the address of a chat channel; save the address again.
    """
    created_at: Annotated[AwareDatetime, Field(alias="createdAt")]
    """
    When it was made.
    """


class WebhookAttempt(Model):
    id: str
    """
    Identifier of the attempt.
    """
    event_id: Annotated[str, Field(alias="eventId")]
    """
    Identifier of the event, as in the header `webhook-id`.
    """
    type: str
    """
    Type of the event.
    """
    at: AwareDatetime
    """
    When it was made.
    """
    status: int | None
    """
    Status of the answer; null when there was none.
    """
    duration_ms: Annotated[int, Field(alias="durationMs")]
    """
    Duration of the attempt.
    """
    error: str | None
    """
    What went wrong, with the beginning of the answer; null for a success.
    """


class WebhookEvent(
    RootModel[
        TransactionEvent
        | PaymentEvent
        | BalanceEvent
        | DischargeEvent
        | TransferEvent
        | VerificationEvent
        | KeyEvent
        | RefusalEvent
        | SealedEvent
        | TestEvent
    ]
):
    root: Annotated[
        TransactionEvent
        | PaymentEvent
        | BalanceEvent
        | DischargeEvent
        | TransferEvent
        | VerificationEvent
        | KeyEvent
        | RefusalEvent
        | SealedEvent
        | TestEvent,
        Field(discriminator="type"),
    ]
    """
    The body of a delivery. Later versions may add types: ignore those that you do not know.
    """


class WebhookFilter(Model):
    source: str | None = None
    """
    Only money from this source.
    """
    min_total: Annotated[Decimal | None, Field(alias="minTotal")] = None
    """
    Only money that moves at least this much, in or out.
    """
    player_id: Annotated[str | None, Field(alias="playerId")] = None
    """
    Only what is about this player.
    """
    balance_below: Annotated[Decimal | None, Field(alias="balanceBelow")] = None
    """
    `balance.below` is sent when a balance falls below this; 0 when absent.
    """
