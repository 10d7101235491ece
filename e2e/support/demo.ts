import { afterAll, beforeAll } from 'vitest';
import { findMemoryParent } from '../../server/test/support/memory-folder.ts';
import { type Demo, type RunningDemo, startDemo } from './demo-process.ts';
import { askForShared } from './shared.ts';

/**
 * Call once in a file: its tests share one `guildbook demo`, started before the first and ended after the last, with a
 * copy of the run's sample data. Settings are environment variables on top of the usual ones.
 */
export function useDemo(settings: Readonly<Record<string, string>> = {}): Demo {
  let running: RunningDemo | undefined;
  beforeAll(async () => {
    running = await startDemo(settings, {
      samples: await askForShared('samples'),
      parent: findMemoryParent(),
    });
  });
  afterAll(() => running?.end());
  const present = (): RunningDemo => {
    if (!running) throw new Error('The try-out has not been started yet');
    return running;
  };
  return {
    get address() {
      return present().address;
    },
    output: () => present().output(),
  };
}
