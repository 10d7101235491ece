import { randomBytes } from 'node:crypto';

/** Request ids: a random part for the process, then a counter. Unique, and cheaper than a UUID for each request. */
export function createRequestIds(): () => string {
  const process = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}
