import type { RecordMatch } from '../domain/records/record-tag.ts';
import type { HttpRequest } from './request.ts';

/** Which versions a change is meant for; undefined for whatever is there. Weak tags name no exact version: none matches. */
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
