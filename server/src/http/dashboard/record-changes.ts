import { dayOf, dayText } from '../../domain/calendar.ts';
import type { Discharge, Transfer } from '../../domain/model.ts';
import type { Clock } from '../../domain/ports.ts';
import { recordTag } from '../../domain/records/record-tag.ts';
import type { CsvStyle } from '../../import-export/csv.ts';
import { type Answer, answerJson } from '../answer.ts';

export const RECORD_BYTES_MAX = 64 * 1024;
/** Enough for a thousand records with long texts. */
export const IMPORT_BYTES_MAX = 8 * 1024 * 1024;

/** A record with its `ETag`, which a change sends back as `If-Match`: the rule of the interface's own routes. */
export function answerTagged(kind: 'discharge' | 'transfer', record: Discharge | Transfer): Answer {
  return answerJson({ success: true, data: record }, ['etag', `"${recordTag(kind, record)}"`]);
}

export function paginationOf({ page, limit }: { page: number; limit: number }, total: number): object {
  return { page, limit, total, totalPages: Math.ceil(total / limit) };
}

/** Exports are made for spreadsheets. With `exact` they have the format of the command line's exports. */
export function csvStyle(exact: 'true' | 'false' | undefined): CsvStyle {
  return exact === 'true' ? 'exact' : 'spreadsheet';
}

/** The name of an export of today. */
export function csvName(kind: string, clock: Clock): string {
  return `${kind}-${dayText(dayOf(clock.nowMs()))}.csv`;
}
