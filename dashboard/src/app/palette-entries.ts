import type { ReactNode } from 'react';

/** A link or an action of the palette. */
export interface PaletteEntry {
  id: string;
  label: string;
  description?: string;
  /** Other words that find it. */
  keywords?: readonly string[];
  leftSection?: ReactNode;
  onOpen: () => void;
}

export interface PaletteGroup {
  name: string;
  entries: PaletteEntry[];
  /** The service has already matched these entries with the text; they are not filtered again. */
  isChosen?: boolean;
}

// Each group has its own limit, so that late results push nothing out of the list.
const shownMax = 20;

const NO_MATCH = 3;

/**
 * The matching entries by group. Entries with a word that begins with the text come first, then those whose label has it, then those
 * with a matching description or keyword. Groups are ordered in the same way.
 */
export function findEntries(groups: readonly PaletteGroup[], text: string): PaletteGroup[] {
  const wanted = text.trim().toLowerCase();
  const found = groups.map((group) => {
    const ranks = group.entries.map((entry) => (group.isChosen ? 0 : rankOf(entry, wanted)));
    const withRank = (rank: number) => group.entries.filter((_, index) => ranks[index] === rank);
    const entries = [...withRank(0), ...withRank(1), ...withRank(2)].slice(0, shownMax);
    return { group: { ...group, entries }, rank: Math.min(NO_MATCH, ...ranks) };
  });
  return found
    .filter(({ group }) => group.entries.length > 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ group }) => group);
}

function rankOf({ label, description = '', keywords = [] }: PaletteEntry, wanted: string): number {
  const words = label.toLowerCase();
  if (words.includes(wanted)) return hasWordWith(words, wanted) ? 0 : 1;
  return [description, ...keywords].some((text) => text.toLowerCase().includes(wanted)) ? 2 : NO_MATCH;
}

/** True when a word begins with the text. */
function hasWordWith(words: string, start: string): boolean {
  for (let at = words.indexOf(start); at !== -1; at = words.indexOf(start, at + 1)) {
    if (!/[\p{L}\p{N}]$/u.test(words.slice(0, at))) return true;
  }
  return false;
}
