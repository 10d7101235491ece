import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { prepareSecrets } from '../../src/compose/stored-secrets.ts';
import { createKeyring, createSealer } from '../../src/domain/access/sealing.ts';
import { DomainError } from '../../src/domain/errors.ts';
import { aSession } from '../contract/specimens.ts';
import { createTestClock } from '../support/clock.ts';
import { writeEmptyStore } from '../support/empty-store.ts';
import { createFolder } from '../support/folder.ts';
import { testIds } from '../support/ids.ts';
import { openTestStore } from '../support/open-store.ts';
import { describeSecretKeys, ONE, TWO } from './secret-key-suite.ts';

describeSecretKeys(async () => {
  const file = path.join(createFolder(), 'guildbook.db');
  writeEmptyStore(file);
  // The folder is removed with the tests of the file.
  return { url: `sqlite:${file}`, remove: async () => {} };
});

test('a store that takes no writes now does not keep the service from starting, and is counted later', async () => {
  const { store } = await openTestStore();
  const clock = createTestClock();
  const [present, previous] = [createSealer(TWO, testIds), createSealer(ONE, testIds)];
  const keyring = createKeyring({ find: () => present, keep: () => present, previous });
  const times = { expiresAtMs: clock.nowMs() + 1_000 };
  const { tokenHash } = aSession();
  await store.sessions.insert(aSession({ tokenHash, sealedTokens: previous.seal('a', tokenHash), ...times }));
  await store.sessions.insert(aSession({ sealedTokens: 'of another key', ...times }));
  const full = {
    ...store,
    sessions: { ...store.sessions, update: () => Promise.reject(new DomainError('store_unavailable')) },
  };
  const lines: string[] = [];
  const logger = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const count = await prepareSecrets({ secretKeyPrevious: ONE }, { clock, logger }, { store: full, keyring });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: 'the stored secrets could not be checked: keep SECRET_KEY_PREVIOUS and restart later' },
  ]);
  expect(await count()).toEqual({ webhook: 0, session: 1 });
});
