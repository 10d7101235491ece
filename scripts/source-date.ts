import { read } from './run.ts';

/**
 * Seconds since 1970 that every file of a release carries as its time: SOURCE_DATE_EPOCH when it is set, as other tools for
 * reproducible builds expect, otherwise the time of the commit that is checked out.
 */
export function sourceDateSeconds(): number {
  const text = process.env.SOURCE_DATE_EPOCH ?? read('git', ['log', '-1', '--format=%ct']).trim();
  const seconds = Number(text);
  if (text === '' || !Number.isSafeInteger(seconds) || seconds < 0) {
    throw new Error(`SOURCE_DATE_EPOCH must be a number of seconds since 1970, not "${text}"`);
  }
  return seconds;
}
