import { t } from '@lingui/core/macro';
import type { Person } from '../api/people.ts';

const lookupKinds = ['any', 'chat', 'player', 'name'] as const;
type LookupKind = (typeof lookupKinds)[number];

interface Lookup {
  kind: LookupKind;
  text: string;
}

/** Parses a query as the service does: the prefixes `chat:`, `player:` and `name:` select the kind. */
export function parseLookup(query: string): Lookup {
  const match = /^(chat|player|name):(.*)$/su.exec(query);
  const kind = lookupKinds.find((candidate) => candidate === match?.[1]);
  return kind ? { kind, text: (match?.[2] ?? '').trim() } : { kind: 'any', text: query.trim() };
}

/** The field of the person that the query matched, so that a match by a past name is no surprise. */
export function matchInWords(person: Person, query: string): string {
  const { kind, text } = parseLookup(query);
  const folded = text.toLowerCase();
  if ((kind === 'any' || kind === 'chat') && person.chatId === text) return t`Found by the chat id`;
  if ((kind === 'any' || kind === 'player') && person.playerId === text) return t`Found by the player id`;
  if ((kind === 'any' || kind === 'name') && person.username.toLowerCase() === folded) {
    return t`Found by the user name`;
  }
  return t`Found by a past account`;
}
