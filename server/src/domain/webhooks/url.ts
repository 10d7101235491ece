import { DomainError } from '../errors.ts';

const URL_LENGTH_MAX = 2_048;

/** Refuses addresses that deliveries can never go to. The sender checks the resolved address. */
export function readUrl(text: string): URL {
  const url = text.length > URL_LENGTH_MAX ? null : URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw refused('must be an address that begins with https://');
  }
  if (url.username !== '' || url.password !== '') {
    throw refused('must not hold a user name or password: deliveries are signed instead');
  }
  if (url.hash !== '') {
    throw refused('must not hold a fragment');
  }
  return url;
}

/** The address of a chat channel without its token. */
export function maskUrl({ origin, pathname }: URL): string {
  const segments = pathname.split('/');
  return `${origin}${segments.slice(0, -1).join('/')}/***`;
}

function refused(rule: string): DomainError {
  return new DomainError('invalid_input', { detail: `url ${rule}` });
}
