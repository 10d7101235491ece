import { shellQuote } from '../components/shell-quote.ts';

/** A request that works with the new key as it stands, and changes nothing. */
export function exampleRequest(origin: string, value: string, scopes: string[]): string {
  const header = `-H ${shellQuote(`x-api-key: ${value}`)}`;
  if (scopes.includes('guild:read')) {
    return `curl ${shellQuote(`${origin}/guild/ledger/1/transactions?limit=1`)} \\\n  ${header}`;
  }
  if (scopes.includes('users:read')) return `curl ${shellQuote(`${origin}/users/1`)} \\\n  ${header}`;
  return `curl ${shellQuote(`${origin}/guild/key`)} \\\n  ${header}`;
}
