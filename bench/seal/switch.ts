import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Loaded into a service before its own code (`--import`). The sealer does nothing while the file of `SEAL_PAUSE` exists. */
const SEALER = '/server/src/domain/seal/sealer.ts';
const WRAPPER = `
import { createSealer as create } from './sealer.ts?real';
export * from './sealer.ts?real';
export function createSealer(parts) {
  const sealer = create(parts);
  return { ...sealer, look: (stop) => (globalThis.isSealingPaused() ? false : sealer.look(stop)) };
}`;

Object.assign(globalThis, { isSealingPaused: () => existsSync(process.env.SEAL_PAUSE ?? '') });

registerHooks({
  load(url, context, nextLoad) {
    return url.endsWith(SEALER)
      ? { format: 'module', source: WRAPPER, shortCircuit: true }
      : nextLoad(url, context);
  },
});
