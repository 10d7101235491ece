/** The present state of a search's results. */
export interface Results {
  /** The typed text. */
  text: string;
  /** The ids of all shown results, from top to bottom. */
  ids: readonly string[];
  /** The first result that certainly belongs to the text; null while there is none. */
  firstId: string | null;
  /** More results may still come. */
  isWaiting: boolean;
  /** The list is open. */
  isOpen: boolean;
}

/** The keyboard state of a search. */
export interface ResultKeys {
  /** The text of this state. Another text starts with a new state. */
  text: string;
  selectedId: string | null;
  /** Enter was pressed before there was a result to open. */
  isEnterKept: boolean;
}

export function startKeys(text: string): ResultKeys {
  return { text, selectedId: null, isEnterKept: false };
}

/**
 * The state after results have changed. The first result is selected as soon as there is one. From then on the
 * selection stays where it is while its result is listed, so that a late result above it does not change what Enter
 * opens. Returns the same object when nothing has changed.
 */
export function followResults(keys: ResultKeys, results: Results): ResultKeys {
  const current = keys.text === results.text ? keys : startKeys(results.text);
  const isListed = current.selectedId !== null && results.ids.includes(current.selectedId);
  const selectedId = isListed ? current.selectedId : results.firstId;
  const canStillOpen = results.isOpen && (results.isWaiting || results.firstId !== null);
  const isEnterKept = current.isEnterKept && canStillOpen;
  const isSame = selectedId === current.selectedId && isEnterKept === current.isEnterKept;
  return isSame ? current : { text: results.text, selectedId, isEnterKept };
}

/** The result that a kept Enter opens now; null when there is nothing to open, or not yet. */
export function keptTarget(keys: ResultKeys, results: Results): string | null {
  return keys.isEnterKept && results.isOpen ? results.firstId : null;
}

/** Moves the selection down or up, from the end to the beginning and back. */
export function moveSelection(keys: ResultKeys, { ids }: Results, step: 1 | -1): ResultKeys {
  const at = keys.selectedId === null ? -1 : ids.indexOf(keys.selectedId);
  const next = at === -1 ? (step === 1 ? 0 : ids.length - 1) : (at + step + ids.length) % ids.length;
  return { ...keys, selectedId: ids[next] ?? null, isEnterKept: false };
}
