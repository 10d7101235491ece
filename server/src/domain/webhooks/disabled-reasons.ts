import { en } from '../../texts/en.ts';
import type { ChannelTexts } from '../../texts/texts.ts';

/** Why an endpoint was disabled. The English sentences are stored, and the interface shows them. */
export const DISABLED_REASONS: ChannelTexts['reasons'] = en.channel.reasons;

const REFUSED = /^The chat platform answered (\d+): /;

export function refusedByPlatform(status: number): string {
  return en.channel.refusedBy(String(status));
}

/** A stored reason in the language of a guild. One of an older version stays as it is. */
export function reasonIn(sentence: string, { reasons, refusedBy }: ChannelTexts): string {
  const [, status] = REFUSED.exec(sentence) ?? [];
  if (status !== undefined) {
    return refusedBy(status);
  }
  switch (sentence) {
    case DISABLED_REASONS.keyDeleted:
      return reasons.keyDeleted;
    case DISABLED_REASONS.gone:
      return reasons.gone;
    case DISABLED_REASONS.failing:
      return reasons.failing;
    default:
      return sentence;
  }
}
