import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPictureHost } from '../../src/chat-platform/picture-host.ts';
import { createNetworks } from '../../src/domain/webhooks/networks.ts';
import { createConnections, RefusedAddress } from '../../src/outgoing/connections.ts';
import { PICTURES, type PictureServer, sending, startPictureServer } from '../http/picture-host.ts';
import { createTestClock } from '../support/clock.ts';

let server: PictureServer;
const closing: (() => void)[] = [];
beforeAll(async () => {
  server = await startPictureServer();
  server.answers.set('one', sending(PICTURES['image/png']));
});
afterAll(async () => {
  for (const close of closing) close();
  await server.close();
});

/** A host whose name has the address of this machine. */
function hostOn({ allowed, scheme = 'http' }: { allowed: string[]; scheme?: string }) {
  const { port } = new URL(server.origin);
  const connections = createConnections({
    networks: createNetworks(allowed),
    clock: createTestClock(),
    lookup: async () => [{ address: '127.0.0.1' }],
  });
  closing.push(() => connections.close());
  const template = `${scheme}://pictures.example:${port}/{kind}/{id}/{hash}.png`;
  return createPictureHost({ template, connections });
}

test('a name with an internal address is not connected to', async () => {
  const picture = { kind: 'avatars', id: '1', hash: 'one' } as const;
  for (const scheme of ['http', 'https']) {
    await expect(hostOn({ allowed: [], scheme }).fetch(picture)).rejects.toThrow(RefusedAddress);
  }
  expect(server.asked).toEqual([]);
  expect(await hostOn({ allowed: ['127.0.0.1'] }).fetch(picture)).toMatchObject({ type: 'image/png' });
  expect(server.asked.map(({ path }) => path)).toEqual(['/avatars/1/one.png']);
});

test.each(['..', '.', 'a/b', '1?x', '', '%2e%2e'])(
  'the id %j, which would be another path, has no picture',
  async (id) => {
    const before = server.asked.length;
    expect(
      await hostOn({ allowed: ['127.0.0.1'] }).fetch({ kind: 'avatars', id, hash: 'one' }),
    ).toBeUndefined();
    expect(server.asked).toHaveLength(before);
  },
);

test.each(Object.entries(PICTURES))('the first bytes make it %s', async (type, bytes) => {
  server.answers.set('typed', sending(bytes, 'application/octet-stream'));
  const found = await hostOn({ allowed: ['127.0.0.1'] }).fetch({ kind: 'icons', id: '2', hash: 'typed' });
  expect(found).toEqual({ type, bytes });
});
