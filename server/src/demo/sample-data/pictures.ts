import { createRandom } from './random.ts';

const STREAM = 7;
const HASH_LENGTH = 32;

/** The hash of the picture of a sample person or guild, always the same for one id. Two of five people have none. */
export function samplePicture(id: string, share = 0.6): string | undefined {
  const random = createRandom({ seed: Number(id.slice(-9)), stream: STREAM });
  return random.chance(share)
    ? random.text({ alphabet: '0123456789abcdef', length: HASH_LENGTH })
    : undefined;
}
