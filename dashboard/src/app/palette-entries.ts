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

/**
 * The matching entries by group. Entries whose label matches come before those with a matching description or
 * keyword. Groups are ordered in the same way.
 */
export function findEntries(groups: readonly PaletteGroup[], text: string): PaletteGroup[] {
  const wanted = text.trim().toLowerCase();
  const found = groups.map((group) => {
    const ranks = group.entries.map((entry) => (group.isChosen ? 0 : rankOf(entry, wanted)));
    const withRank = (rank: number) => group.entries.filter((_, index) => ranks[index] === rank);
    const entries = [...withRank(0), ...withRank(1)].slice(0, shownMax);
    return { group: { ...group, entries }, rank: ranks.includes(0) ? 0 : 1 };
  });
  return found
    .filter(({ group }) => group.entries.length > 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ group }) => group);
}

/** 0 when the label contains the text, 1 when only a description or a keyword does, 2 when nothing does. */
function rankOf({ label, description = '', keywords = [] }: PaletteEntry, wanted: string): number {
  if (label.toLowerCase().includes(wanted)) return 0;
  return [description, ...keywords].some((text) => text.toLowerCase().includes(wanted)) ? 1 : 2;
}
