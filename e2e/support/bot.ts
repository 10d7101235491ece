import { expect } from 'vitest';
import type { Demo } from './demo-process.ts';
import { sampleGuildId } from './guild-pages.ts';

/** For demos whose bot has this token. */
export const botToken = 'a-token-of-the-bot-for-the-browser-tests';

/** Brings lines into the sample guild through the operator's bot; every one of them has to be taken. */
export async function importLines(demo: Demo, kind: string, lines: object[]): Promise<void> {
  const answer = await fetch(`${demo.address}/bot/import/${kind}?guild=${sampleGuildId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${botToken}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
  const outcomes = (await answer.text()).trim().split('\n');
  expect(outcomes.filter((line) => line.includes('"rejected"'))).toEqual([]);
  expect(outcomes).toHaveLength(lines.length);
}
