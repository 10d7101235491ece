const prefix = 'guildbook-draft:';
const keptMs = 60 * 60 * 1_000;

/** Whose form it is, and which one. */
export interface DraftPlace {
  chatId: string;
  formId: string;
}

let mayKeep = true;

/** Keeps what was entered in this tab, for whoever entered it, for an hour. */
export function keepDraft(place: DraftPlace, entered: unknown, nowMs = Date.now()): void {
  if (!mayKeep) return;
  withStorage((storage) => storage.setItem(keyOf(place), JSON.stringify({ keptAtMs: nowMs, entered })));
}

/** What was kept for a form; undefined when there is nothing, or nothing that is fresh enough. */
export function readDraft(place: DraftPlace, nowMs = Date.now()): unknown {
  const text = withStorage((storage) => storage.getItem(keyOf(place)));
  if (typeof text !== 'string') return undefined;
  const draft: unknown = JSON.parse(text);
  const isDraft = typeof draft === 'object' && draft !== null && 'keptAtMs' in draft && 'entered' in draft;
  if (!isDraft || nowMs - Number(draft.keptAtMs) > keptMs) return undefined;
  return draft.entered;
}

/** What follows the beginning of the id of a form for which something is kept; undefined when there is none. */
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

/** Somebody signs out: nothing that they entered stays, and what is still open is not kept either. */
export function dropAllDrafts(): void {
  mayKeep = false;
  withStorage((storage) => {
    for (const key of listKeys(storage)) if (key.startsWith(prefix)) storage.removeItem(key);
  });
}

/** Whether what was kept fits the form of today: the same fields, of the same types, at every level. */
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

/** A browser may refuse its storage; drafts are then not kept, and nothing else suffers. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(window.sessionStorage);
  } catch {
    return undefined;
  }
}
