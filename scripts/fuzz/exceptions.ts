/** A kind of failure that is no fault of the service, and why. Every run prints how often each was met. */
export interface Exception {
  /** The class of the failure in Schemathesis. */
  failure:
    | 'RejectedPositiveData'
    | 'AcceptedNegativeData'
    | 'AllowHeaderMismatch'
    | 'EnsureResourceAvailability';
  /** Method and path; without it any operation. */
  operation?: string;
  /** The message of the answer. */
  message?: RegExp;
  /** The body of the request. */
  body?: RegExp;
  reason: string;
}

/** Operations that are not called at all. */
export const EXCLUDED: readonly { operation: string; reason: string }[] = [
  {
    operation: 'GET /dashboard/api/guilds/{guildId}/events',
    reason: 'the answer is an endless stream: a client that reads answers to their end would wait for ever',
  },
];

const refused = (message: RegExp, reason: string): Exception => ({
  failure: 'RejectedPositiveData',
  message,
  reason,
});

/** Rules that a JSON schema cannot express, or can express only in a way that others read wrongly. */
const RULES_BEYOND_SCHEMAS: readonly Exception[] = [
  refused(
    /cursor must be the nextCursor of an earlier page|before must be the next of an earlier page|cursor belongs to a list/,
    'only the service makes a valid cursor',
  ),
  refused(
    /since must not be after until|since must be before until|minAmount must not be above maxAmount|days apart|cursor and playerIds exclude each other|subject needs a kind/,
    'the rule relates two parameters',
  ),
  refused(
    /in the body differs from the address|there are no commands to import/,
    'the rule relates the body to the address',
  ),
  refused(
    /must be a (?:time|date) such as/,
    'an offset can move a time of the year 0 or 9999 into another year, which only a pattern that looks ahead could say',
  ),
  refused(
    /Explicit (?:deposit|withdrawal) flag conflicts|amount times quantity is out of range|filter\.balanceBelow belongs to|summary\.weekly is for|fromPlayerId and toPlayerId/,
    'the rule relates two fields of the body',
  ),
  refused(
    /must have at most 4 decimal places|has more digits than can be kept exactly/,
    'validators that compute multipleOf with binary fractions would refuse valid amounts, so the document says it in words',
  ),
  refused(
    /balance would be out of range|balance does not cover|kind of an endpoint cannot be changed|chat channel has no secret|earlier values of this key are still valid/,
    'the rule depends on what is stored',
  ),
  refused(
    /the expiry must lie between|since must lie within the last 30 days/,
    'the rule depends on the present time',
  ),
  refused(/timeZone must be the name of a time zone/, 'the names are those of the time zone database'),
  refused(
    /networks must be up to 32 addresses/,
    'a pattern of all IPv6 networks could not be read by anybody',
  ),
  refused(/routeLimits must name a route once/, 'the rule relates items of a list by one of their fields'),
  refused(/repeats an earlier id/, 'the check inserts known ids into lists without regard to uniqueItems'),
  refused(/since is too early/, 'the rule depends on the number of days between two parameters'),
];

const IMPORTS = ['discharges', 'transfers'].map(
  (kind) => `POST /dashboard/api/guilds/{guildId}/${kind}/import`,
);

export const EXCEPTIONS: readonly Exception[] = [
  ...RULES_BEYOND_SCHEMAS,
  ...IMPORTS.map(
    (operation): Exception => ({
      failure: 'AllowHeaderMismatch',
      operation,
      reason: 'the other methods of the address read and change the record whose id is "import"',
    }),
  ),
  {
    failure: 'EnsureResourceAvailability',
    message: /Event not found/,
    reason: 'the webhook exists, and the event that the body names does not',
  },
  {
    failure: 'AcceptedNegativeData',
    operation: 'POST /bot/import/{kind}',
    reason: 'the answer has an outcome for each line, and a refused line refuses no other',
  },
  {
    failure: 'AcceptedNegativeData',
    operation: 'POST /guild/transactions',
    body: /"atomic": false/,
    reason: 'the answer has an outcome for each item, and a refused item refuses no other',
  },
];
