import { shellQuote } from '../components/shell-quote.ts';
import type { IssuedKey } from './issued-key-context.ts';

/** A request that works with the new key without edits, and changes nothing. */
export function exampleRequest(
  origin: string,
  { value, scopes, playerId = '1', username = '1' }: Omit<IssuedKey, 'name'>,
): string {
  const header = `-H ${shellQuote(`x-api-key: ${value}`)}`;
  if (scopes.includes('guild:read')) {
    return `curl ${shellQuote(`${origin}/guild/ledger/${encodeURIComponent(playerId)}/transactions?limit=1`)} \\\n  ${header}`;
  }
  if (scopes.includes('users:read'))
    return `curl ${shellQuote(`${origin}/users/${encodeURIComponent(username)}`)} \\\n  ${header}`;
  return `curl ${shellQuote(`${origin}/guild/key`)} \\\n  ${header}`;
}
