import { DAY_MS, dayOf } from '../calendar.ts';
import { toBase64 } from '../seal/bytes.ts';
import { parseCheckpoint } from '../seal/checkpoint.ts';
import type { SealStore } from '../seal/seal-store.ts';
import { eventIdOf, type TimedEvents } from './event.ts';
import type { Webhook } from './webhook.ts';

const MARK = /^sealed (\d+) (\d+)$/;
/** After the end of a day its last transactions get sealed. */
const SEALED_AFTER_MS = 60_000;

/** When the checkpoint of the present day can be sent. */
export function nextSealedAt(nowMs: number): number {
  return (dayOf(nowMs - SEALED_AFTER_MS) + 1) * DAY_MS + SEALED_AFTER_MS;
}

/** A mark has the day and the size of the last checkpoint. A new endpoint gets its first event after the present day. */
export function createSealedDay({ seals }: { seals: Pick<SealStore, 'state'> }) {
  return async ({ guild, announcedKeys }: Webhook, nowMs: number): Promise<TimedEvents> => {
    const { log } = await seals.state(guild);
    const day = dayOf(nowMs - SEALED_AFTER_MS);
    const last = announcedKeys.map((mark) => MARK.exec(mark)).find((found) => found !== null);
    const mark = `sealed ${day} ${log?.size ?? 0}`;
    if (last === undefined || log === undefined || Number(last[2]) === log.size) {
      return { due: [], marks: [mark] };
    }
    if (Number(last[1]) === day) {
      return { due: [], marks: [last[0]] };
    }
    const { origin, size, root } = parseCheckpoint(log.checkpoint);
    const facts = { origin, size, root: toBase64(root), checkpoint: log.checkpoint };
    const event = {
      id: eventIdOf(guild, { log: 's', ref: day }),
      type: 'ledger.sealed' as const,
      atMs: nowMs,
      subject: { kind: 'facts' as const, facts, playerIds: [] },
    };
    return { due: [{ event, mark }], marks: [mark] };
  };
}
