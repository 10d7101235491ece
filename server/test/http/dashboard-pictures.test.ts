import { afterAll, beforeAll, expect, test } from 'vitest';
import { PICTURE_BYTES_MAX } from '../../src/domain/people/chat-pictures.ts';
import { HANDLERS_PER_PERSON_MAX } from '../../src/http/access/person-requests.ts';
import { AvatarsReply } from '../../src/wire/dashboard-pictures.ts';
import { TESTER } from '../support/change.ts';
import { answering, CHAT_BOT_TOKEN } from '../support/chat-platform.ts';
import {
  type DashboardService,
  GUILD,
  NO_GUILD,
  OTHER_GUILD,
  type SignedInBrowser,
  startDashboardService,
} from './dashboard-service.ts';
import { guildPath, readData } from './ledger-pages.ts';
import { PICTURES, type PictureServer, sending, startPictureServer } from './picture-host.ts';

const MISSING_MS = 10 * 60_000;
const PAUSE_MS = 60_000;

let host: PictureServer;
let service: DashboardService;
let olga: SignedInBrowser;
let chatNo = 5_000;

beforeAll(async () => {
  host = await startPictureServer();
  service = await startDashboardService(
    { pictureTimeoutMs: 300 },
    { CHAT_BOT_TOKEN, CHAT_AVATAR_URL: host.template },
  );
  service.platform.guilds.push({ guildId: GUILD, roles: [], members: [] });
  setPerson('olga', { avatar: 'olga1', icon: 'icon1' });
  setPerson('otto', { avatar: 'otto1' });
  host.answers.set('olga1', sending(PICTURES['image/png']));
  host.answers.set('icon1', sending(PICTURES['image/webp'], 'image/webp'));
  host.answers.set('otto1', sending(PICTURES['image/gif'], 'image/gif'));
  olga = await service.signIn('olga');
  await service.signIn('otto');
});
afterAll(async () => {
  await service.stop();
  await host.close();
});

function setPerson(name: string, { avatar, icon }: { avatar: string; icon?: string }): void {
  const person = service.platform.people.find(({ username }) => username === name);
  if (person === undefined) throw new Error(`${name} is a person of the platform`);
  person.avatar = avatar;
  for (const guild of person.guilds) guild.icon = icon;
}

interface AddedMember {
  chatId: string;
  /** The address of the picture. */
  path: string;
}

/** Adds members of the guild on the platform, with pictures of these hashes. */
function addMembers(avatars: readonly (string | undefined)[]): AddedMember[] {
  const [guild] = service.platform.guilds;
  if (guild === undefined) throw new Error('the guild is on the platform');
  const members = avatars.map((avatar) => {
    chatNo += 1;
    return { chatId: String(chatNo), username: `m${chatNo}`, avatar, roles: [] };
  });
  guild.members = [...guild.members, ...members];
  // The list of members is read again.
  service.clock.advance(MISSING_MS);
  return members.map(({ chatId }) => ({ chatId, path: guildPath(`/avatars/${chatId}`) }));
}

function addMember(avatar?: string): AddedMember {
  const [member] = addMembers([avatar]);
  if (member === undefined) throw new Error('one member was added');
  return member;
}

const fetchesOf = (hash: string) => host.asked.filter(({ path }) => path.includes(`/${hash}.png`));
const list = (query: string) => readData(olga, guildPath(`/avatars?${query}`), AvatarsReply);

test('a picture comes from our own address with headers that let it be nothing but a picture', async () => {
  const { path } = addMember('right1');
  host.answers.set('right1', sending(PICTURES['image/jpeg'], 'text/html'));
  const reply = await olga.go(`${path}?v=right1`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  expect(Number(reply.headers.get('content-length'))).toBe(PICTURES['image/jpeg'].length);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'cache-control': 'private, max-age=86400',
    'content-security-policy': "default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    etag: '"right1"',
  });
  expect((await olga.go(path)).headers.get('cache-control')).toBe('private, no-cache');
});

test('the host is asked once, and a browser that has the picture gets 304', async () => {
  const { path } = addMember('once1');
  host.answers.set('once1', sending(PICTURES['image/png']));
  const replies = await Promise.all(Array.from({ length: 5 }, () => olga.go(`${path}?v=once1`)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  for (const tag of ['"once1"', 'W/"once1"', '"other", "once1"']) {
    const again = await olga.go(path, { headers: { 'if-none-match': tag } });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', '"once1"']);
  }
  expect(fetchesOf('once1')).toHaveLength(1);
});

test('neither the bot’s token nor a cookie goes to the host of the pictures or into the log', async () => {
  const { path } = addMember('plain1');
  host.answers.set('plain1', sending(PICTURES['image/png']));
  await olga.go(path);
  const headers = fetchesOf('plain1').map((asked) => asked.headers);
  expect(headers).toHaveLength(1);
  expect(Object.keys(headers[0] ?? {}).sort()).toEqual(['accept', 'connection', 'content-length', 'host']);
  expect(service.logLines.some((line) => line.includes(CHAT_BOT_TOKEN))).toBe(false);
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
test.each([
  ['an SVG', 'svg1', () => sending(SVG, 'image/png')],
  ['a page', 'html1', () => sending('<!doctype html><p>PNG', 'image/png')],
  ['nothing', 'empty1', () => sending('')],
  [
    'more than the size limit',
    'large1',
    () => sending(Buffer.concat([PICTURES['image/png'], Buffer.alloc(PICTURE_BYTES_MAX)])),
  ],
  [
    'a redirect to an internal address',
    'redirect1',
    (): ReturnType<typeof sending> => (_request, response) => {
      response.writeHead(302, { location: `${host.origin}/secret/right1.png` }).end();
    },
  ],
  ['404', 'absent1', () => undefined],
])('%s is no picture, which is remembered for ten minutes', async (_what, hash, create) => {
  const { path } = addMember(hash);
  const answer = create();
  if (answer !== undefined) host.answers.set(hash, answer);
  const before = fetchesOf('right1').length;
  for (let count = 0; count < 3; count += 1) {
    const reply = await olga.go(`${path}?v=${hash}`);
    expect([reply.status, reply.text, reply.headers.get('cache-control')]).toEqual([204, '', 'no-store']);
  }
  expect(fetchesOf(hash)).toHaveLength(1);
  expect(fetchesOf('right1')).toHaveLength(before);
  host.answers.set(hash, sending(PICTURES['image/png']));
  service.clock.advance(MISSING_MS);
  expect((await olga.go(path)).status).toBe(200);
});

test('after three failures in a row the host has a minute of rest, and cached pictures are still shown', async () => {
  const shown = addMember('shown1');
  host.answers.set('shown1', sending(PICTURES['image/png']));
  expect((await olga.go(shown.path)).status).toBe(200);
  const members = addMembers(['slow1', 'slow2', 'broken1', 'later1']);
  // The head arrives, the rest never does.
  const stalls: ReturnType<typeof sending> = (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(PICTURES['image/png']);
  };
  host.answers.set('slow1', () => {});
  host.answers.set('slow2', stalls);
  host.answers.set('broken1', (_request, response) => response.writeHead(503).end());
  host.answers.set('later1', sending(PICTURES['image/png']));
  const statuses = [];
  for (const { path } of members) statuses.push((await olga.go(path)).status);
  expect(statuses).toEqual([204, 204, 204, 204]);
  expect(fetchesOf('later1')).toEqual([]);
  expect((await olga.go(shown.path)).status).toBe(200);
  service.clock.advance(PAUSE_MS);
  expect((await olga.go(members[3]?.path ?? '')).status).toBe(200);
});

test('pictures that wait for a slow host hold up no other request of the person', async () => {
  const hashes = Array.from({ length: 20 }, (_, index) => `held${index}`);
  const members = addMembers(hashes);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const patient = await startDashboardService(
    { pictureTimeoutMs: 60_000 },
    { CHAT_BOT_TOKEN, CHAT_AVATAR_URL: host.template },
  );
  try {
    patient.platform.guilds.push(...service.platform.guilds);
    const browser = await patient.signIn('olga');
    for (const hash of hashes) {
      host.answers.set(hash, (_request, response) => {
        void held.then(() => response.end(PICTURES['image/png']));
      });
    }
    const pending = members.map(({ path }) => browser.go(path));
    while (host.asked.filter(({ path }) => path.includes('/held')).length < HANDLERS_PER_PERSON_MAX + 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await browser.go(guildPath('/people'))).status).toBe(200);
    release();
    expect(new Set((await Promise.all(pending)).map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    release();
    await patient.stop();
  }
});

test('the list names those of the accounts that have a picture', async () => {
  const atMs = service.clock.nowMs();
  const withPicture = addMember('listed1');
  const without = addMember();
  const people = [
    { chatId: withPicture.chatId, playerId: 'rich', username: 'Rowan' },
    { chatId: without.chatId, playerId: 'poor', username: 'Wren' },
  ];
  await service.store.verifications.put(people, { actor: TESTER, atMs });
  const { data } = await list(`playerIds=rich,poor,nobody&chatIds=101,${without.chatId},9999`);
  expect(data).toEqual([
    { chatId: withPicture.chatId, playerId: 'rich', version: 'listed1' },
    { chatId: '101', playerId: null, version: 'olga1' },
  ]);
  expect((await olga.go(without.path)).body).toMatchObject({ code: 'user_not_found' });
});

test('the pictures of another guild’s people are not shown, nor are any to its viewers', async () => {
  // Otto is signed in to the service, and belongs to the other guild alone.
  expect((await list('chatIds=106')).data).toEqual([]);
  expect((await olga.go(guildPath('/avatars/106?v=otto1'))).status).toBe(404);
  const otto = await service.signIn('otto');
  for (const path of ['/avatars/101', '/avatars?chatIds=101', '/icon']) {
    expect((await otto.go(guildPath(path))).text).toBe(NO_GUILD);
  }
  expect((await otto.go(guildPath('/avatars/106', OTHER_GUILD))).status).toBe(200);
  expect((await service.openBrowser().go(guildPath('/avatars/101'))).status).toBe(401);
});

test('the session and the guilds say which pictures they have, and both are shown', async () => {
  const { user } = (await olga.go('/dashboard/api/session')).body.data;
  expect(user).toMatchObject({ chatId: '101', avatar: 'olga1' });
  const [guild] = (await olga.go('/dashboard/api/guilds')).body.data;
  expect(guild).toMatchObject({ guildId: GUILD, icon: 'icon1' });
  const own = await olga.go('/dashboard/api/session/avatar?v=olga1');
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'image/png']);
  const icon = await olga.go(guildPath('/icon?v=icon1'));
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect(host.asked.map(({ path }) => path)).toContain(`/icons/${GUILD}/icon1.png`);
});

test('while the platform does not list its members, the stored pictures are shown', async () => {
  service.clock.advance(MISSING_MS);
  service.platform.setFault(answering('/members', 500, '{}'));
  try {
    expect((await list('chatIds=101')).data).toEqual([{ chatId: '101', playerId: null, version: 'olga1' }]);
  } finally {
    service.platform.setFault(undefined);
  }
});

test('pictures that are switched off are named nowhere', async () => {
  const plain = await startDashboardService({}, { CHAT_AVATAR_URL: 'off' });
  try {
    const [person] = plain.platform.people;
    if (person !== undefined) person.avatar = 'olga1';
    const browser = await plain.signIn('olga');
    expect((await browser.go('/dashboard/api/session')).body.data.user.avatar).toBeNull();
    expect((await browser.go(guildPath('/avatars?chatIds=101'))).body.data).toEqual([]);
    expect((await browser.go('/dashboard/api/session/avatar')).status).toBe(404);
  } finally {
    await plain.stop();
  }
});
