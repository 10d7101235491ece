import { DAY_MS } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import type { GuildRef } from '../model.ts';
import type { ChatParts } from './command.ts';
import type { BalancePicture } from './reply.ts';

const DAYS = 30;
/** More spans than days, so that the balance at the end of a day is close to exact on long accounts, too. */
const SPANS_MAX = 240;

/** The balances of the last days. Undefined when the beginning of the account's history is archived. */
export async function readBalances(
  guild: GuildRef,
  playerId: string,
  { entries, views, clock }: Pick<ChatParts, 'entries' | 'views' | 'clock'>,
): Promise<BalancePicture | undefined> {
  const untilMs = clock.nowMs();
  const sinceMs = untilMs - DAYS * DAY_MS;
  try {
    const { balanceUnits } = await entries.account(guild, playerId, sinceMs);
    const spans = await views.history(guild, playerId, SPANS_MAX, { sinceMs });
    const balances = Array.from({ length: DAYS + 1 }, (_unused, day) => {
      const endMs = sinceMs + day * DAY_MS;
      const span = spans.findLast(({ fromMs }) => fromMs <= endMs);
      return span === undefined ? balanceUnits : span.toMs <= endMs ? span.lastUnits : span.firstUnits;
    });
    return { balances };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'archived') {
      return undefined;
    }
    throw error;
  }
}
