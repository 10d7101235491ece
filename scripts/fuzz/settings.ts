import { EXCEPTIONS } from './exceptions.ts';
import type { KnownValues } from './known-values.ts';

/** Parameters get a value that exists this often. The others are generated. */
const KNOWN_PROBABILITY = 0.7;

/** Fields of bodies that get known values. */
const FIELDS = {
  'body.transactionIds[*]': 'transactionId',
  'body.expiresAt': 'expiresAt',
  'body.since': 'since',
};

/** Statuses of requests that are valid by their schema, but not at this moment or not for this caller. */
const REFUSED_BY_STATE = ['2xx', '302', '401', '403', '404', '409', '412', '422', '429'];

/** The settings file of Schemathesis. */
export function settingsText(values: KnownValues): string {
  const names = Object.keys(values);
  const parameters = names.flatMap((name) =>
    ['path', 'query'].map(
      (place) => `"${place}.${name}" = { dictionary = "${name}", probability = ${KNOWN_PROBABILITY} }`,
    ),
  );
  const fields = Object.entries(FIELDS).map(
    ([field, name]) => `"${field}" = { dictionary = "${name}", probability = ${KNOWN_PROBABILITY} }`,
  );
  return [
    '[parameters]',
    ...parameters,
    ...fields,
    ...names.map((name) => `[dictionaries.${name}]\nvalues = ${JSON.stringify(values[name])}`),
    '[checks]',
    `positive_data_acceptance.expected-statuses = ${JSON.stringify(REFUSED_BY_STATE)}`,
    // Too large, or for a version that is gone: that is refused as well.
    'negative_data_rejection.expected-statuses = ["4xx"]',
    '',
  ].join('\n');
}

/** The exceptions in the form that fuzz_hooks.py reads. */
export function exceptionsText(): string {
  return JSON.stringify(
    EXCEPTIONS.map((one) => ({ ...one, message: one.message?.source, body: one.body?.source })),
  );
}
