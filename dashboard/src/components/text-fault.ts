import { t } from '@lingui/core/macro';
import { groupCount } from './money.ts';
/** The rules of a text: ids and lines must not be empty, notes may be, blocks may have line breaks. */
export type TextKind = 'id' | 'line' | 'note' | 'block';

const lengthsMax: Record<TextKind, number> = { id: 128, line: 256, note: 256, block: 4_000 };

// As in the service: marks that change the direction of writing can be used to deceive readers.
const directionMarks = '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069';
const forbiddenInLine = new RegExp(`[\\p{Cc}\\p{Cs}\\u2028\\u2029${directionMarks}]`, 'u');
const forbiddenInBlock = new RegExp(`(?![\\n\\r\\t])[\\p{Cc}\\p{Cs}${directionMarks}]`, 'u');

/** The error of a text; null when it is valid. As in the service, the length is counted in code points. */
export function textFault(text: string, kind: TextKind): string | null {
  const isNeeded = kind === 'id' || kind === 'line';
  if (isNeeded && text.trim() === '') return t`Needed for every record`;
  const length = [...text].length;
  const max = lengthsMax[kind];
  if (length > max) return t`At most ${groupCount(max)} characters; these are ${groupCount(length)}`;
  const forbidden = kind === 'block' ? forbiddenInBlock : forbiddenInLine;
  if (forbidden.test(text)) {
    return t`Holds an invisible control character or direction mark; type the text again`;
  }
  return null;
}
