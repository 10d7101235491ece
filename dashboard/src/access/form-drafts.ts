const prefix = 'guildbook-draft:';
const keptMs = 60 * 60 * 1_000;

/** Identifies a draft: the person and the form. */
export interface DraftPlace {
  chatId: string;
  formId: string;
}

let mayKeep = true;

/** Stores entered values for an hour, in this tab and for this person. */
export function keepDraft(place: DraftPlace, entered: unknown, nowMs = Date.now()): void {
  if (!mayKeep) return;
  withStorage((storage) => storage.setItem(keyOf(place), JSON.stringify({ keptAtMs: nowMs, entered })));
}

/** The draft of a form; undefined when there is none, or it is too old. */
export function readDraft(place: DraftPlace, nowMs = Date.now()): unknown {
  const text = withStorage((storage) => storage.getItem(keyOf(place)));
  if (typeof text !== 'string') return undefined;
  const draft: unknown = JSON.parse(text);
  const isDraft = typeof draft === 'object' && draft !== null && 'keptAtMs' in draft && 'entered' in draft;
  if (!isDraft || nowMs - Number(draft.keptAtMs) > keptMs) return undefined;
  return draft.entered;
}

/**
 * Finds a draft whose form id begins with the given text and returns the rest of the id; undefined when there is
 * none.
 */
export function findDraftedForm(
  { chatId, formId: beginning }: DraftPlace,
  nowMs = Date.now(),
): string | undefined {
  const start = keyOf({ chatId, formId: beginning });
  const keys = withStorage(listKeys) ?? [];
  const ends = keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  return ends.find((end) => readDraft({ chatId, formId: beginning + end }, nowMs) !== undefined);
}

export function dropDraft(place: DraftPlace): void {
  withStorage((storage) => storage.removeItem(keyOf(place)));
}

/** Called on sign-out: deletes all drafts, and stops open forms from storing new ones. */
export function dropAllDrafts(): void {
  mayKeep = false;
  withStorage((storage) => {
    for (const key of listKeys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
  });
}

/** True when a draft fits the present form: the same fields of the same types at every level. */
export function hasSameShape(one: unknown, other: unknown): boolean {
  if (one === null || other === null) return true;
  if (Array.isArray(one) || Array.isArray(other)) return Array.isArray(one) && Array.isArray(other);
  if (typeof one !== 'object' || typeof other !== 'object') return typeof one === typeof other;
  const fields = new Map(Object.entries(other));
  const entries = Object.entries(one);
  return (
    entries.length === fields.size &&
    entries.every(([name, value]) => fields.has(name) && hasSameShape(value, fields.get(name)))
  );
}

function listKeys(storage: Storage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
}

function keyOf({ chatId, formId }: DraftPlace): string {
  return `${prefix}${chatId}:${formId}`;
}

/** A browser may refuse access to its storage. Then drafts are not kept, and everything else works. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(window.sessionStorage);
  } catch {
    return undefined;
  }
}
