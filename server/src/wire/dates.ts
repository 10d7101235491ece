/** `2027-01-31`, or with a time and its offset: `2027-01-31T18:00:00Z`, `2027-01-31T20:00:00.5+02:00`. */
export const DATE_FORMAT = 'iso-date';
/** Always with a time and its offset. */
export const DATE_TIME_FORMAT = 'date-time';

/** A calendar day, `2027-01-31`. */
export const DAY_FORMAT = 'day';

const DAY =
  '(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|' +
  '02-(?:0[1-9]|1[0-9]|2[0-8]))|' +
  '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const TIME =
  '(?:(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?|24:00(?::00(?:\\.0{1,9})?)?)';
const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** The texts that each format accepts. Days that do not exist, such as 2027-02-29, are excluded. */
export const DATE_PATTERNS = {
  [DATE_FORMAT]: new RegExp(`^${DAY}(?:T${TIME}${OFFSET})?$`),
  [DATE_TIME_FORMAT]: new RegExp(`^${DAY}T${TIME}${OFFSET}$`),
  [DAY_FORMAT]: new RegExp(`^${DAY}$`),
};

export function isDate(text: string): boolean {
  return DATE_PATTERNS[DATE_FORMAT].test(text) && isOfFourDigits(text);
}

export function isDay(text: string): boolean {
  return DATE_PATTERNS[DAY_FORMAT].test(text);
}

export function isDateTime(text: string): boolean {
  return DATE_PATTERNS[DATE_TIME_FORMAT].test(text) && isOfFourDigits(text);
}

/**
 * An offset can move a time of the year 0 or 9999 to a year without four digits in UTC, which answers cannot express.
 */
function isOfFourDigits(text: string): boolean {
  return !/^(?:0000|9999)/.test(text) || /^\d{4}-/.test(new Date(text).toISOString());
}
