/** `2027-01-31`, or with a time and its offset: `2027-01-31T18:00:00Z`, `2027-01-31T20:00:00.5+02:00`. */
export const DATE_FORMAT = 'iso-date';
/** Always with a time and its offset. */
export const DATE_TIME_FORMAT = 'date-time';

/** A calendar day, `2027-01-31`. */
export const DAY_FORMAT = 'day';

const PLAIN_DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** How each of the formats is written. Whether there is such a day, only the functions below tell. */
export const DATE_PATTERNS = {
  [DATE_FORMAT]: new RegExp(`${PLAIN_DATE.source}|${DATE_TIME.source}`),
  [DATE_TIME_FORMAT]: DATE_TIME,
  [DAY_FORMAT]: PLAIN_DATE,
};

export function isDate(text: string): boolean {
  return DATE_PATTERNS[DATE_FORMAT].test(text) && isRealDay(text);
}

export function isDay(text: string): boolean {
  return PLAIN_DATE.test(text) && isRealDay(text);
}

export function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && isRealDay(text);
}

/** Date.parse takes 31 February for 3 March; a date that moved is not the one that was meant. */
function isRealDay(text: string): boolean {
  const day = text.slice(0, 10);
  const start = Date.parse(`${day}T00:00:00Z`);
  return (
    !Number.isNaN(Date.parse(text)) && !Number.isNaN(start) && new Date(start).toISOString().startsWith(day)
  );
}
