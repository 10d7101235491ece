import type { Person } from '../api/people.ts';

export const lookupKinds = ['any', 'chat', 'player', 'name'] as const;
export type LookupKind = (typeof lookupKinds)[number];

export const lookupLabels: Record<LookupKind, string> = {
  any: 'Anything',
  chat: 'Chat id',
  player: 'Player id',
  name: 'User name',
};

export interface Lookup {
  kind: LookupKind;
  text: string;
}

const textLengthMax = 256;

/** Parses a query as the service does: the prefixes `chat:`, `player:` and `name:` select the kind. */
export function parseLookup(query: string): Lookup {
  const match = /^(chat|player|name):(.*)$/su.exec(query);
  const kind = lookupKinds.find((candidate) => candidate === match?.[1]);
  return kind ? { kind, text: (match?.[2] ?? '').trim() } : { kind: 'any', text: query.trim() };
}

/** The query for the address and the service; empty when there is nothing to look up. */
export function lookupQuery({ kind, text }: Lookup): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  return kind === 'any' ? trimmed : `${kind}:${trimmed}`;
}

/** The error of the typed text; undefined when it is valid. */
export function lookupFault({ text }: Lookup): string | undefined {
  const length = [...text.trim()].length;
  if (length === 0) return 'Type an id or a name';
  return length > textLengthMax ? `At most ${textLengthMax} characters; these are ${length}` : undefined;
}

/** The field of the person that the query matched, so that a match by a past name is no surprise. */
export function matchInWords(person: Person, query: string): string {
  const { kind, text } = parseLookup(query);
  const folded = text.toLowerCase();
  if ((kind === 'any' || kind === 'chat') && person.chatId === text) return 'Found by the chat id';
  if ((kind === 'any' || kind === 'player') && person.playerId === text) return 'Found by the player id';
  if ((kind === 'any' || kind === 'name') && person.username.toLowerCase() === folded) {
    return 'Found by the user name';
  }
  return 'Found by a past account';
}

/** True when the query matched this past account. */
export function isMatch(account: { playerId: string; username: string }, query: string): boolean {
  const { kind, text } = parseLookup(query);
  if (kind === 'chat') return false;
  const isById = kind !== 'name' && account.playerId === text;
  const isByName = kind !== 'player' && account.username.toLowerCase() === text.toLowerCase();
  return isById || isByName;
}
