import { createPublishedBoards } from '../../domain/board/published-boards.ts';
import type { BoardFacts, ReadBoard } from '../../domain/board/read-board.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Clock, Store } from '../../domain/ports.ts';
import { findLanguage } from '../../texts/find-language.ts';
import { LANGUAGES, type Language } from '../../texts/language.ts';
import { wantedLanguages } from '../accept-language.ts';
import { type Answer, JSON_TYPE } from '../answer.ts';
import { NOSNIFF, YEAR_SECONDS } from '../pages/built-pages.ts';
import { type Prepared, prepare } from '../prepared.ts';
import type { HttpRequest } from '../request.ts';
import { createBoardCache } from './board-cache.ts';
import { boardEmbed } from './board-embed.ts';
import { boardJson } from './board-json.ts';
import { type BoardPlace, boardPage, notFoundPage } from './board-page.ts';
import { drawBoard } from './board-picture.ts';
import { EMBED_POLICY, PAGE_POLICY } from './board-style.ts';

const HTML_TYPE = 'text/html; charset=utf-8';
const KEPT = ['cache-control', 'public, max-age=60'];
/** A board that is switched on is seen at once. */
const NOT_KEPT = ['cache-control', 'no-store'];
const ANY_ORIGIN = ['access-control-allow-origin', '*'];
/** The room of the compressed forms and of the picture, beside the texts. */
const PICTURE_BYTES = 40_000;

export type BoardForm = 'page' | 'embed' | 'json' | 'picture';

/** A board in all its forms. Most boards are never asked for some of them, so each is made at its first request. */
interface MadeBoard {
  readonly byteLength: number;
  prepared(form: BoardForm): Prepared;
}

/** Answers a request for a form of a board. */
export type AnswerBoard = (request: HttpRequest, name: string, form: BoardForm) => MaybePromise<Answer>;

export interface BoardsParts {
  store: Pick<Store, 'boards'>;
  clock: Clock;
  readBoard: ReadBoard;
  /** Our own origin, as browsers name it. */
  origin: () => string;
  /** True when the pages are served by https. They then send `strict-transport-security`. */
  isSecure: boolean;
}

export function createBoards({ store, clock, readBoard, origin, isSecure }: BoardsParts): AnswerBoard {
  const security = isSecure ? ['strict-transport-security', `max-age=${YEAR_SECONDS}`] : [];
  const common = [...NOSNIFF, 'referrer-policy', 'no-referrer', ...security];
  const headers: Record<BoardForm, readonly string[]> = {
    page: ['content-security-policy', PAGE_POLICY, ...common, ...KEPT],
    embed: ['content-security-policy', EMBED_POLICY, ...common, ...KEPT],
    json: [...common, ...ANY_ORIGIN, ...KEPT],
    picture: [...common, ...KEPT],
  };
  const absent = createAbsent(common);
  const cache = createBoardCache({
    published: createPublishedBoards(store.boards),
    clock,
    make: async ({ guild, ...board }) =>
      makeBoard(await readBoard(guild, board), { origin: origin(), name: board.name }, headers),
  });
  return (request, name, form) => {
    const found = cache.find(name);
    const answer = (made: MadeBoard | undefined) =>
      made === undefined ? absent(request, form) : made.prepared(form).answer(request);
    return found instanceof Promise ? found.then(answer) : answer(found);
  };
}

function makeBoard(
  facts: BoardFacts,
  place: BoardPlace,
  headers: Record<BoardForm, readonly string[]>,
): MadeBoard {
  const makers: Record<BoardForm, () => Prepared> = {
    page: () => prepare({ content: boardPage(facts, place), contentType: HTML_TYPE, headers: headers.page }),
    embed: () =>
      prepare({ content: boardEmbed(facts, place), contentType: HTML_TYPE, headers: headers.embed }),
    json: () => prepare({ content: boardJson(facts, place), contentType: JSON_TYPE, headers: headers.json }),
    picture: () => prepare({ content: drawBoard(facts), contentType: 'image/png', headers: headers.picture }),
  };
  const made = new Map<BoardForm, Prepared>([['page', makers.page()]]);
  const page = made.get('page')?.byteLength ?? 0;
  return {
    // The other texts are shorter than the page, and compressed forms shorter still.
    byteLength: 4 * page + PICTURE_BYTES,
    prepared(form) {
      let prepared = made.get(form);
      if (prepared === undefined) {
        prepared = makers[form]();
        made.set(form, prepared);
      }
      return prepared;
    },
  };
}

/** The answers for names without a published board. They are the same whether the name was never chosen or is switched off. */
function createAbsent(common: readonly string[]): (request: HttpRequest, form: BoardForm) => Answer {
  const bodyOf = (text: string) => ({ content: Buffer.from(text), length: Buffer.byteLength(text) });
  /** One for each language and form. */
  const pages = new Map<string, Answer>();
  const pageIn = (language: Language, policy: string): Answer => ({
    status: 404,
    body: bodyOf(notFoundPage(language)),
    contentType: HTML_TYPE,
    headers: ['content-security-policy', policy, ...common, ...NOT_KEPT],
  });
  const json: Answer = {
    status: 404,
    body: bodyOf('{"success":false,"message":"Not found"}'),
    contentType: JSON_TYPE,
    headers: [...common, ...ANY_ORIGIN, ...NOT_KEPT],
  };
  const framed = PAGE_POLICY.replace("frame-ancestors 'none'", 'frame-ancestors *');
  return ({ raw }, form) => {
    if (form === 'json') {
      return json;
    }
    const language = findLanguage(wantedLanguages(raw.headers['accept-language']), LANGUAGES);
    const key = `${language} ${form}`;
    const page = pages.get(key) ?? pageIn(language, form === 'embed' ? framed : PAGE_POLICY);
    pages.set(key, page);
    return page;
  };
}
