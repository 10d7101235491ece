import type { RecordMatch } from '../domain/records/record-tag.ts';
import type { HttpRequest } from './request.ts';

/** The record versions in `If-Match`; undefined without the header. Weak tags are left out, because they never match. */
export function recordMatchOf({ raw }: HttpRequest): RecordMatch | undefined {
  const header = raw.headers['if-match'];
  if (header === undefined || header.trim() === '*') {
    return header === undefined ? undefined : '*';
  }
  return header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => !tag.startsWith('W/'))
    .map((tag) => tag.replaceAll('"', ''));
}
