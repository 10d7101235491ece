import { systemClock } from '../../server/src/compose.ts';
import { startTestPlatform, type TestPlatform } from '../../server/test/support/chat-platform.ts';
import { GUILD_ID, OTHER_GUILD_ID } from '../support/ledger-file.ts';
import { undoAtEnd } from '../support/undo.ts';

const ANSWER_WAIT_MS = 60_000;
const PAGE_PAUSE_MS = 1_000;

/** A chat platform where one person manages the guild that is measured. */
export async function startPlatform(): Promise<TestPlatform> {
  const guilds = [
    { guildId: GUILD_ID, name: 'The Measured Guild', owner: true, permissions: '0' },
    { guildId: OTHER_GUILD_ID, name: 'Another Guild', owner: true, permissions: '0' },
  ];
  const person = { chatId: '4201', username: 'olga', about: 'manages the guild', guilds };
  const platform = await startTestPlatform([person], systemClock);
  undoAtEnd(() => platform.close());
  return platform;
}

/** Signs that person in by the whole exchange, and returns the cookie of the session. */
export async function signIn(address: string): Promise<string> {
  const begin = await ask(`${address}/dashboard/api/sign-in`);
  const consent = await ask(locationOf(begin), {
    method: 'POST',
    body: new URLSearchParams({ person: '4201' }),
  });
  const back = await ask(locationOf(consent), { headers: { cookie: cookieOf(begin) } });
  if (locationOf(back) !== '/dashboard/') {
    throw new Error(`the sign-in led to ${locationOf(back)}`);
  }
  return cookieOf(back);
}

function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_WAIT_MS), ...init });
}

function locationOf(answer: Response): string {
  return answer.headers.get('location') ?? '';
}

function cookieOf(answer: Response): string {
  return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

const GUILD = `/dashboard/api/guilds/${GUILD_ID}`;
/** The requests of the dashboard's pages, page by page. */
const PAGES = [
  '/dashboard/api/session',
  '/dashboard/api/guilds',
  `${GUILD}/overview`,
  `${GUILD}/overview/players`,
  `${GUILD}/transactions`,
  `${GUILD}/players`,
  `${GUILD}/players/player-12`,
  `${GUILD}/players/player-12/transactions`,
  `${GUILD}/players/player-12/activity`,
  `${GUILD}/people`,
  `${GUILD}/search?query=Member_12`,
  `${GUILD}/discharges`,
  `${GUILD}/transfers`,
  `${GUILD}/audit`,
  // The measured guild has more keys than a guild may have, so that none meets its rate limit.
  `/dashboard/api/guilds/${OTHER_GUILD_ID}/keys`,
];

export interface Visitor {
  /** Answers other than 200 since this was last asked, with their pages. */
  takeFailures(): string[];
  visits: number;
  stop(): Promise<void>;
}

/** Looks at one page of the dashboard after the other, as a person would who does nothing else. */
export function startVisitor(address: string, cookie: string): Visitor {
  const failures: string[] = [];
  const state = { visits: 0, isOver: false };
  const walk = async () => {
    for (let index = 0; !state.isOver; index += 1) {
      const page = PAGES[index % PAGES.length] ?? '';
      const answer = await ask(`${address}${page}`, { headers: { cookie } }).catch(String);
      if (typeof answer === 'string') {
        failures.push(`${page}: ${answer}`);
      } else {
        await answer.arrayBuffer();
        state.visits += 1;
        if (answer.status !== 200) failures.push(`${page}: ${answer.status}`);
      }
      await new Promise((resolve) => setTimeout(resolve, PAGE_PAUSE_MS));
    }
  };
  const done = walk();
  return {
    takeFailures: () => failures.splice(0),
    get visits() {
      return state.visits;
    },
    async stop() {
      state.isOver = true;
      await done;
    },
  };
}

/** Takes the whole export of the guild's transactions, and returns its number of lines. */
export async function takeExport(address: string, cookie: string): Promise<number> {
  const answer = await fetch(`${address}${GUILD}/transactions.csv`, { headers: { cookie } });
  if (answer.status !== 200) {
    throw new Error(`the export was answered with ${answer.status}`);
  }
  let lines = 0;
  for await (const chunk of answer.body ?? []) {
    for (const byte of chunk) lines += byte === 10 ? 1 : 0;
  }
  return lines;
}
