import type { ServerResponse } from 'node:http';
import type { Static } from 'typebox';
import { ListingQuery } from '../../wire/ledger.ts';
import { type Body, transactionsBody } from '../answer-text.ts';
import { parseQueryString } from '../query-string.ts';
import { listTransactions } from '../routes/ledger.ts';
import { createEntry } from './entry.ts';
import type { Answer, DirectParts } from './parts.ts';
import { PLAIN_QUERY, PLAIN_TEXT } from './plain.ts';
import { createSend, sendRefusal } from './send.ts';

const [PREFIX = '', ENDING = ''] = listTransactions.path.split('{playerId}');
/** Different query strings whose meaning is remembered; beyond them the memory is emptied and fills again. */
const QUERIES_MAX = 2_000;

type Query = Static<typeof ListingQuery>;

/** The list of a player's transactions. */
export function createListing(parts: DirectParts): { find: (url: string) => Answer | undefined } {
  const readQuery = createQueryReader(parts);
  const answer = createAnswer(parts);
  return {
    find(url) {
      if (!url.startsWith(PREFIX)) {
        return undefined;
      }
      const end = url.indexOf(ENDING, PREFIX.length);
      const playerId = url.slice(PREFIX.length, end);
      if (end < 0 || !PLAIN_TEXT.test(playerId)) {
        return undefined;
      }
      const query = readQuery(url.slice(end + ENDING.length));
      return query && ((key, _request, response) => answer(playerId, query, key, response));
    },
  };
}

/** Reads what follows the path. Most requests ask what others asked before, so each text is read once. */
function createQueryReader({ createReader }: DirectParts): (text: string) => Query | undefined {
  const read = createReader(ListingQuery, 'querystring');
  const known = new Map<string, Query | undefined>();

  function readNew(text: string): Query | undefined {
    const isPlain = text === '' || (text.startsWith('?') && PLAIN_QUERY.test(text.slice(1)));
    const result = isPlain ? read(parseQueryString(text.slice(1))) : undefined;
    return result !== undefined && 'value' in result ? result.value : undefined;
  }

  return (text) => {
    let query = known.get(text);
    if (query === undefined) {
      query = readNew(text);
      if (known.size >= QUERIES_MAX) {
        known.clear();
      }
      known.set(text, query);
    }
    return query;
  };
}

function createAnswer(parts: DirectParts) {
  const enter = createEntry(listTransactions, parts);
  const send = createSend(listTransactions, parts);
  return async (playerId: string, query: Query, key: string, response: ServerResponse) => {
    const startMs = performance.now();
    const entry = await enter(key);
    if (entry === undefined) {
      return false;
    }
    let body: Body;
    try {
      const listing = await parts.ledger.list(entry.principal, playerId, query);
      body = transactionsBody(playerId, query, listing);
    } catch (thrown) {
      sendRefusal(send, response, { ...entry, startMs, thrown }, parts);
      return true;
    }
    send(response, { ...entry, startMs, status: 200, body });
    return true;
  };
}
