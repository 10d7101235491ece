import { NOTE_FIELDS, type TransactionNotes } from './transaction.ts';

/** Copies the notes and nothing else; undefined when there are none. */
export function pickNotes(from: TransactionNotes): TransactionNotes | undefined {
  const { metadata } = from;
  if (metadata === undefined && NOTE_FIELDS.every((name) => from[name] === undefined)) {
    return undefined;
  }
  const notes: TransactionNotes = {};
  for (const name of NOTE_FIELDS) {
    notes[name] = from[name];
  }
  return { ...notes, metadata };
}

/**
 * The notes in the hash of a request. A field after the first counts only when it is given, so that requests without it have the
 * hash from before it existed: keys are kept permanently.
 */
export function meaningOfNotes(notes: TransactionNotes): unknown[] {
  const [first, ...later] = NOTE_FIELDS;
  const given = later.filter((name) => notes[name] !== undefined);
  return [notes[first] ?? null, notes.metadata ?? null, ...given.map((name) => [name, notes[name]])];
}

/** The notes as answers show them: all of them, null where there is none. */
export function notesOrNull(notes: TransactionNotes): object {
  const texts = NOTE_FIELDS.map((name) => [name, notes[name] ?? null]);
  return { ...Object.fromEntries(texts), metadata: notes.metadata ?? null };
}
