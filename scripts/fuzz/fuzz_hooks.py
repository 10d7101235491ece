"""Gives the requests of `npm run check:fuzz` their credentials and addresses. Schemathesis loads this file."""

import atexit
import itertools
import json
import os
import re

import requests
import schemathesis

ADDRESS = os.environ["FUZZ_ADDRESS"]
ACCESS = os.environ["FUZZ_ACCESS"]
GUILD_ID = os.environ["FUZZ_GUILD_ID"]
PEOPLE = os.environ["FUZZ_PEOPLE"].split(",")
SCOPES = os.environ["FUZZ_SCOPES"].split(",")
EXPIRES_AT = os.environ["FUZZ_EXPIRES_AT"]
BOT_TOKEN = os.environ["FUZZ_BOT_TOKEN"]
RECEIVER = os.environ["FUZZ_RECEIVER"]
# A guild may have no more.
WEBHOOKS_MAX = 10
KNOWN_WEBHOOKS = os.environ["FUZZ_WEBHOOKS"].split(",")

# A key may post ten times a second, and a person has a limit too. Requests take turns with these.
POOL_SIZE = 40
SESSION_COOKIE = "guildbook_session"
# These operations end the credentials that they are called with, so each call gets its own.
ENDING = {"DELETE /guild/key", "POST /dashboard/api/sign-out", "POST /dashboard/api/sign-out-everywhere"}

client_numbers = itertools.count(1)


send_plain = requests.Session.send


def send_as_new_client(session, request, **options):
    """Adds headers to every request, including those that the checks of Schemathesis send by themselves."""
    number = next(client_numbers)
    # The service limits failed authentications by address, and trusts this machine as a proxy.
    request.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    if ACCESS != "bot":
        # Browsers add this header to every change.
        request.headers["Origin"] = ADDRESS
    return send_plain(session, request, **options)


requests.Session.send = send_as_new_client


def sign_in(chat_id):
    """Signs a person in as a browser does, and returns the cookie and the CSRF token."""
    browser = requests.Session()
    asked = browser.get(f"{ADDRESS}/dashboard/api/sign-in", allow_redirects=False)
    consented = requests.post(asked.headers["location"], data={"person": chat_id}, allow_redirects=False)
    browser.get(consented.headers["location"], allow_redirects=False)
    answer = browser.get(f"{ADDRESS}/dashboard/api/session")
    answer.raise_for_status()
    return {"cookie": browser.cookies[SESSION_COOKIE], "csrf": answer.json()["data"]["csrfToken"]}


def create_key(session):
    """Creates a key with all scopes in the dashboard, and returns its value."""
    answer = requests.post(
        f"{ADDRESS}/dashboard/api/guilds/{GUILD_ID}/keys",
        json={"name": "Fuzzing", "scopes": SCOPES, "expiresAt": EXPIRES_AT},
        cookies={SESSION_COOKIE: session["cookie"]},
        headers={"x-csrf-token": session["csrf"]},
    )
    answer.raise_for_status()
    return answer.json()["data"]["key"]


def cycle_sessions(people):
    return itertools.cycle([sign_in(chat_id) for chat_id in people])


def ask_webhooks(session, method, path="", **options):
    """Calls a route of the guild's webhooks in the dashboard, and returns the data of the answer."""
    answer = requests.request(
        method,
        f"{ADDRESS}/dashboard/api/guilds/{GUILD_ID}/webhooks{path}",
        cookies={SESSION_COOKIE: session["cookie"]},
        headers={"x-csrf-token": session["csrf"]},
        **options,
    )
    answer.raise_for_status()
    return answer.json()["data"]


def create_webhook(session):
    """Creates a webhook with a secret: those that are generated may all be chat channels, which have none to rotate."""
    others = [found["id"] for found in ask_webhooks(session, "GET")["webhooks"] if found["id"] not in webhooks.values()]
    if len(webhooks) + len(others) >= WEBHOOKS_MAX:
        ask_webhooks(session, "DELETE", f"/{others[0]}")
    body = {"url": RECEIVER, "kind": "standard", "events": ["transaction.posted"]}
    return ask_webhooks(session, "POST", json=body)["webhook"]["id"]


if ACCESS == "key":
    makers = cycle_sessions(PEOPLE[:POOL_SIZE])
    keys = itertools.cycle([create_key(next(makers)) for _ in range(POOL_SIZE)])
if ACCESS == "session":
    sessions = cycle_sessions(PEOPLE[:POOL_SIZE])
    # Signing out everywhere must not end the sessions above.
    spare_people = itertools.cycle(PEOPLE[POOL_SIZE:])

# Known ids of webhooks, and the ids of the webhooks that stand for them now.
webhooks = {}
if ACCESS != "bot":
    for known_id in KNOWN_WEBHOOKS:
        webhooks[known_id] = create_webhook(sign_in(PEOPLE[-1]))


@schemathesis.auth(refresh_interval=None)
class Credentials:
    def get(self, case, context):
        is_ending = f"{case.operation.method.upper()} {case.operation.path}" in ENDING
        if ACCESS == "key":
            return create_key(next(makers)) if is_ending else next(keys)
        if ACCESS == "session":
            return sign_in(next(spare_people)) if is_ending else next(sessions)
        return BOT_TOKEN

    def set(self, case, data, context):
        case.headers = case.headers or {}
        if ACCESS == "key":
            case.headers["x-api-key"] = data
        elif ACCESS == "bot":
            case.headers["Authorization"] = f"Bearer {data}"
        else:
            case.cookies = {**(case.cookies or {}), SESSION_COOKIE: data["cookie"]}
            case.headers["x-csrf-token"] = data["csrf"]


@schemathesis.hook
def before_call(context, case, kwargs):
    keep_deliveries_here(case.body)
    webhook_id = case.path_parameters.get("webhookId")
    if webhook_id in webhooks:
        case.path_parameters["webhookId"] = webhooks[webhook_id]


def replace_deleted(case, response):
    """Creates another webhook in place of a known one that the request has deleted."""
    if case.operation.method.upper() != "DELETE" or response.status_code != 200:
        return
    for known, webhook_id in webhooks.items():
        if webhook_id == case.path_parameters.get("webhookId"):
            webhooks[known] = create_webhook(sign_in(PEOPLE[-1]))


def keep_deliveries_here(body):
    """Webhooks are delivered to the receiver of the check, never to an address that was generated."""
    if isinstance(body, dict) and isinstance(body.get("url"), str):
        body["url"] = re.sub(r"^https?://[^/?#]*([^?#]*).*$", rf"{RECEIVER}\1", body["url"], flags=re.DOTALL)


# Each exception explains one kind of failure; see settings.ts.
EXCEPTIONS = json.loads(os.environ["FUZZ_EXCEPTIONS"])
tally = {"statuses": {}, "exceptions": {}, "failures": []}


def message_of(response):
    try:
        return response.json()["message"]
    except (ValueError, TypeError, KeyError):
        return ""


def find_exception(failure, case, response):
    for exception in EXCEPTIONS:
        if (
            exception["failure"] == type(failure).__name__
            and exception.get("operation", case.operation.label) == case.operation.label
            and re.search(exception.get("message", ""), message_of(response))
            and re.search(exception.get("body", ""), str(response.request.body))
        ):
            return exception
    return None


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops the failures that an exception explains, and counts them by its reason."""
    exception = find_exception(failure, case, response)
    if exception is not None:
        reason = exception["reason"]
        tally["exceptions"][reason] = tally["exceptions"].get(reason, 0) + 1
        return False
    tally["failures"].append(
        {
            "failure": type(failure).__name__,
            "operation": case.operation.label,
            "request": f"{response.request.method} {response.request.url}",
            "body": str(response.request.body)[:500],
            "status": response.status_code,
            "message": message_of(response),
            "detail": failure.message[:1000],
        }
    )
    return True


@schemathesis.hook
def after_call(context, case, response):
    statuses = tally["statuses"].setdefault(case.operation.label, {})
    status = str(response.status_code)
    statuses[status] = statuses.get(status, 0) + 1
    replace_deleted(case, response)


@atexit.register
def write_tally():
    with open(os.environ["FUZZ_TALLY"], "w", encoding="utf-8") as file:
        json.dump(tally, file)


@schemathesis.serializer("application/x-ndjson")
def serialize_lines(context, value):
    """The document of the run describes the lines as a list."""
    if isinstance(value, list):
        return "".join(f"{json.dumps(line)}\n" for line in value).encode()
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


@schemathesis.deserializer("application/x-ndjson")
def deserialize_lines(context, response):
    return [json.loads(line) for line in response.content.decode().splitlines()]
