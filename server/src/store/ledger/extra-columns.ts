import {
  type Metadata,
  NOTE_FIELDS,
  type NoteField,
  type TransactionExtra,
  type TransactionNotes,
} from '../../domain/model.ts';
import { columnName } from '../column-name.ts';

/** The notes of a transaction in the order of columns. */
export const NOTES = [...NOTE_FIELDS, 'metadata'] as const;

/** The notes as a row has them. Metadata is the JSON text of an object with sorted keys. */
export type NoteRow = Record<NoteField | 'metadata', string | null>;

/** The columns of `ledger_extra` after guild and number, in the order of `extraValues`. */
export const EXTRA_COLUMNS: readonly { name: string; type: 'text' | 'bigint' }[] = [
  ...NOTES.map((name) => ({ name: columnName(name), type: 'text' as const })),
  { name: 'payment_id', type: 'text' },
  { name: 'reverses', type: 'bigint' },
];

export function extraValues(extra: TransactionExtra): (string | number | null)[] {
  const { metadata, paymentId, reverses } = extra;
  return [
    ...NOTE_FIELDS.map((name) => extra[name] ?? null),
    metadata === undefined ? null : JSON.stringify(metadata),
    paymentId ?? null,
    reverses?.number ?? null,
  ];
}

/** Selects the notes by their names. `at` names a column of `ledger_extra` in the statement. */
export function selectNotes(at: (column: string) => string): string {
  return NOTES.map((name) => `${at(columnName(name))} AS "${name}"`).join(', ');
}

/** The notes in the values of a row, which ends with them; undefined when it has none. Most rows have none. */
export function notesFrom(values: readonly unknown[], first: number): TransactionNotes | undefined {
  for (let index = first; index < values.length; index += 1) {
    if (values[index] !== null) {
      // The columns of the notes are texts.
      const given = NOTES.map((name, place) => [name, values[first + place] as string | null]);
      return setNotes({}, Object.fromEntries(given));
    }
  }
  return undefined;
}

/** Sets the notes of a row on what is made of it. */
export function setNotes<Made extends TransactionNotes>(made: Made, row: NoteRow): Made {
  const notes: TransactionNotes = made;
  for (const name of NOTE_FIELDS) {
    notes[name] = row[name] ?? undefined;
  }
  notes.metadata = readMetadata(row.metadata);
  return made;
}

function readMetadata(text: string | null): Metadata | undefined {
  return text === null ? undefined : JSON.parse(text);
}
