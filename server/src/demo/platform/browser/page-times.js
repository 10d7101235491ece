const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const UNITS = /** @type {const} */ ([
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]);

/**
 * Writes all times in the reader's language and time zone.
 * @param {HTMLElement} list
 */
export function writeTimes(list) {
  for (const time of list.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    const text = timeText(at, time.dataset.form ?? 'f');
    if (time.textContent !== text) time.textContent = text;
    time.title = LONG.format(at);
  }
}

/**
 * @param {Date} at
 * @param {string} form
 */
function timeText(at, form) {
  if (form === 'R') return relativeText(at);
  if (form === 't' || form === 'T') return TIME.format(at);
  if (form === 'd' || form === 'D') return DATE.format(at);
  if (form === 'F') return LONG.format(at);
  const isToday = at.toDateString() === new Date().toDateString();
  return form === 'C' && isToday ? `Today at ${TIME.format(at)}` : DATE_TIME.format(at);
}

/** @param {Date} at */
function relativeText(at) {
  const seconds = (at.getTime() - Date.now()) / 1_000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.round(seconds / length), unit);
  }
  return RELATIVE.format(Math.round(seconds), 'second');
}
