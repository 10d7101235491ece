import { it, onTestFinished } from 'vitest';
import { createDatabase } from '../postgres/database.ts';
import { depth } from '../support/depth.ts';
import { expectSameAnswers, startSide } from './same-requests.ts';

const REQUESTS = depth({ normal: 300, deep: 3_000 });

it('both stores give the same answers to the same requests, byte for byte', {
  timeout: 600_000,
}, async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  await expectSameAnswers(await startSide(), await startSide(database.url), REQUESTS);
});
