import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { ENDPOINTS } from '../../src/http/endpoints.ts';
import { ACTIONS } from '../../src/wire/roles.ts';
import { BOT_TOKEN } from './bot-service.ts';
import type { Ids, Step } from './changing-step.ts';
import { changingSteps } from './changing-steps.ts';
import { type DashboardService, GUILD, type Reply, startDashboardService } from './dashboard-service.ts';
import { createSameIds } from './same-requests.ts';

// Two services get the same requests. The second one gets them with the names of internal fields in every object of the body.
// Answers and stores have to be the same: a field that the wire schema does not name has no effect.

const MODEL = readFileSync(new URL('../../src/domain/model.ts', import.meta.url), 'utf8');
/** Every field of the domain's nouns, and fields of its options that a request must not set. */
const INTERNAL = new Set([
  ...[...MODEL.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name = '']) => name),
  ...['isForced', 'force', 'overdraft', 'extra', 'chatRoleId', 'actor', 'isRevived', '__proto__'],
]);
const DASHBOARD = `/dashboard/api/guilds/${GUILD}/`;
/** Written in the background or by the chat platform: the use of keys, sessions, and deliveries. */
const BACKGROUND = /last_used|usage|key_hour|key_request|counter|session|webhook|attempt/;
/** Values that a delivery in the background may have taken first, and how long it took. */
const TAKEN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|whsec_[\w+/=]+|"durationMs":\d+/g;

test('the steps cover every route that reads a body', () => {
  const routes = [
    ...ENDPOINTS.filter(({ body }) => body !== undefined).map(({ method, path }) => `${method} ${path}`),
    ...Object.values(ACTIONS).flatMap(({ routes }) => routes.filter((route) => /^(?:POST|PUT)/.test(route))),
    'PUT preferences',
  ];
  const covered = changingSteps().map(({ route }) => route);
  expect(routes.filter((route) => !covered.includes(route))).toEqual([]);
});

test.each([
  ['true', true],
  ['null', null],
  ['a number', 1],
  ['a text', 'x'],
  ['an object', { a: 1 }],
])('fields that a schema does not name have no effect when they are %s', async (_name, value) => {
  const [plain, added] = [await startSide(), await startSide()];
  for (const step of changingSteps()) {
    const body = withInternal(step, step.body(plain.ids), value);
    const expected = await plain.take(step, step.body(plain.ids));
    const actual = await added.take(step, body);
    expect(expected.status, `${step.route}: ${expected.text}`).toBe(200);
    const shown = ({ status, text }: Reply) => [
      status,
      step.route.includes('webhooks') ? text.replaceAll(TAKEN, '') : text,
    ];
    expect(shown(actual), `${step.route} with ${JSON.stringify(body)}`).toEqual(shown(expected));
  }
  expect(dump(added.service)).toEqual(dump(plain.service));
});

interface Side {
  service: DashboardService;
  ids: Ids;
  take(step: Step, body: unknown): Promise<Reply>;
}

async function startSide(): Promise<Side> {
  const service = await startDashboardService(
    { ids: createSameIds() },
    { BOT_TOKEN, GUILD_EDITS_VERIFICATIONS: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' },
  );
  onTestFinished(() => service.stop());
  const { value } = await service.addKey(GUILD);
  const olga = await service.signIn('olga');
  const ids: Ids = {};
  return {
    service,
    ids,
    async take({ route, path, headers = {}, keep }, body) {
      // Limits are not the point here.
      service.clock.advance(2_000);
      const [method = ''] = route.split(' ');
      const address = path(ids);
      const isOfDashboard = !address.startsWith('/');
      const access = address.startsWith('/bot')
        ? { authorization: `Bearer ${BOT_TOKEN}` }
        : { 'x-api-key': value };
      const reply = isOfDashboard
        ? await olga.change(method, new URL(address, `http://x${DASHBOARD}`).pathname, body)
        : await olga.go(address, { method, json: body, headers: { ...access, ...headers } });
      Object.assign(ids, keep?.(reply.body?.data ?? {}));
      return reply;
    },
  };
}

/** Adds the fields to the body and to the objects in it, unless the route's schema names them. */
function withInternal({ named = [], isFree = [] }: Step, body: unknown, value: unknown): unknown {
  if (Array.isArray(body)) {
    return body.map((item) => withInternal({ named, isFree } as unknown as Step, item, value));
  }
  if (typeof body !== 'object' || body === null) {
    return body;
  }
  const inner = Object.entries(body).map(([name, field]) => [
    name,
    isFree.includes(name) ? field : withInternal({ named, isFree } as unknown as Step, field, value),
  ]);
  const extra = [...INTERNAL].filter((name) => !Object.hasOwn(body, name) && !named.includes(name));
  // Object.fromEntries makes a field of "__proto__", as JSON.parse does.
  return Object.fromEntries([...inner, ...extra.map((name) => [name, value])]);
}

/** All rows of all tables, without what is written in the background. */
function dump({ db }: DashboardService): Record<string, unknown[]> {
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return Object.fromEntries(
    tables
      .map(({ name }) => String(name))
      .filter((name) => !BACKGROUND.test(name))
      .map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all().map(withoutBackground)]),
  );
}

function withoutBackground(row: Record<string, unknown>): Record<string, unknown> {
  const isOfWebhook = row.subject_kind === 'webhook';
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !BACKGROUND.test(name) && !(isOfWebhook && name === 'subject_id')),
  );
}
