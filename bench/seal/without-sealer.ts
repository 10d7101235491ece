import { registerHooks } from 'node:module';

/** Loaded into a service before its own code (`--import`). Its sealer does nothing. */
const SEALER = '/server/src/domain/seal/sealer.ts';
const WRAPPER = `
import { createSealer as create } from './sealer.ts?real';
export * from './sealer.ts?real';
export const createSealer = (parts) => ({ ...create(parts), look: async () => false });`;

registerHooks({
  load(url, context, nextLoad) {
    return url.endsWith(SEALER)
      ? { format: 'module', source: WRAPPER, shortCircuit: true }
      : nextLoad(url, context);
  },
});
