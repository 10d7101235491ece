import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { IdSource } from '../../src/domain/ports.ts';

/** Real ids and real randomness. */
export const testIds: IdSource = {
  uuid: () => randomUUIDv7(),
  randomBytes: (count) => randomBytes(count),
};
