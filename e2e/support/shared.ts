import { inject } from 'vitest';

/** Names of the things that all files of a run share: the address of Chromium, and a folder with the demo's data. */
export type SharedName = 'chromium' | 'samples';

/** Asks the run where it is; the first to ask waits until it is there. */
export async function askForShared(name: SharedName): Promise<string> {
  const answer = await fetch(`${inject('sharedAddress')}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
