import { actorOf } from '../../domain/access/actors.ts';
import { dayOf, dayText } from '../../domain/calendar.ts';
import type { Actor } from '../../domain/model.ts';
import type { Clock } from '../../domain/ports.ts';
import type { CsvStyle } from '../../import-export/csv.ts';
import type { SignedIn } from '../access/session.ts';

export const RECORD_BYTES_MAX = 64 * 1024;

/** The person behind a change, whose right to it the chat platform has just confirmed. */
export async function requireChanger({ session, confirm }: SignedIn): Promise<Actor> {
  await confirm();
  return actorOf(session);
}

export function paginationOf({ page, limit }: { page: number; limit: number }, total: number): object {
  return { page, limit, total, totalPages: Math.ceil(total / limit) };
}

/** Files are made for spreadsheets, unless a program asks for what the command line writes. */
export function csvStyle(exact: 'true' | 'false' | undefined): CsvStyle {
  return exact === 'true' ? 'exact' : 'spreadsheet';
}

/** The name of an export of today. */
export function csvName(kind: string, clock: Clock): string {
  return `${kind}-${dayText(dayOf(clock.nowMs()))}.csv`;
}
