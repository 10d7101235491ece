import { createRandom } from './random.ts';

const STREAM = 7;
const HASH_LENGTH = 32;
const USUAL_SHARE = 0.6;

/** The hash of the picture of a sample person or guild, always the same for one id. Of those with the usual share two of five have none. */
export function samplePicture(id: string, share: number = USUAL_SHARE): string | undefined {
  const random = createRandom({ seed: Number(id.slice(-9)), stream: STREAM });
  return random.chance(share)
    ? random.text({ alphabet: '0123456789abcdef', length: HASH_LENGTH })
    : undefined;
}
