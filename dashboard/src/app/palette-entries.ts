import type { ReactNode } from 'react';

/** Something the palette leads to or does. */
export interface PaletteEntry {
  id: string;
  label: string;
  description?: string;
  /** Other words under which it is found. */
  keywords?: readonly string[];
  leftSection?: ReactNode;
  onOpen: () => void;
}

export interface PaletteGroup {
  name: string;
  entries: PaletteEntry[];
  /** The service has chosen these entries by the text; they are shown as they are. */
  isChosen?: boolean;
}

// Each group has its own limit, so that results that come late push nothing out of the list.
const shownMax = 20;

/**
 * The entries that fit the text, by group. Groups in which a label fits come before those in which only a description
 * or a keyword does, and so do the entries of a group.
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

/** 0 when the label holds the text, 1 when only a description or a keyword does, 2 when nothing does. */
function rankOf({ label, description = '', keywords = [] }: PaletteEntry, wanted: string): number {
  if (label.toLowerCase().includes(wanted)) return 0;
  return [description, ...keywords].some((text) => text.toLowerCase().includes(wanted)) ? 1 : 2;
}
