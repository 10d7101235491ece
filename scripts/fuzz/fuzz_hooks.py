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


if ACCESS == "key":
    makers = cycle_sessions(PEOPLE[:POOL_SIZE])
    keys = itertools.cycle([create_key(next(makers)) for _ in range(POOL_SIZE)])
if ACCESS == "session":
    sessions = cycle_sessions(PEOPLE[:POOL_SIZE])
    # Signing out everywhere must not end the sessions above.
    spare_people = itertools.cycle(PEOPLE[POOL_SIZE:])


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
