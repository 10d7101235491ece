import type { Command } from '../api/commands.ts';
import { language } from '../texts/languages.ts';

export interface CommandGroup {
  category: string;
  commands: Command[];
}

export interface CatalogueView {
  /** The category in the address, in either case. Empty for all categories. */
  category: string;
  search: string;
}

/** The matching commands by category, both in alphabetical order. */
export function groupCommands(commands: Command[], view: CatalogueView): CommandGroup[] {
  const wanted = view.search.trim().toLowerCase();
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    if (!isInCategory(command, view.category)) continue;
    const text = `${command.category} ${command.name} ${command.description} ${command.extendedHelp}`;
    if (!text.toLowerCase().includes(wanted)) continue;
    const group = groups.get(command.category);
    if (group) group.push(command);
    else groups.set(command.category, [command]);
  }
  return [...groups]
    .map(([category, members]) => ({
      category,
      commands: members.sort((one, other) => one.name.localeCompare(other.name, language)),
    }))
    .sort((one, other) => one.category.localeCompare(other.category, language));
}

export function isInCategory(command: Command, category: string): boolean {
  return category === '' || command.category.toLowerCase() === category.toLowerCase();
}

export interface CategoryCount {
  category: string;
  count: number;
}

export function countByCategory(commands: Command[]): CategoryCount[] {
  const counts = new Map<string, number>();
  for (const { category } of commands) counts.set(category, (counts.get(category) ?? 0) + 1);
  return [...counts]
    .map(([category, count]) => ({ category, count }))
    .sort((one, other) => one.category.localeCompare(other.category, language));
}

/** The address of the catalogue with these filters, for links and for sharing. */
export function catalogueAddress({ category, search }: CatalogueView): string {
  const parameters = new URLSearchParams();
  if (category !== '') parameters.set('category', category);
  if (search !== '') parameters.set('q', search);
  return parameters.size === 0 ? '/commands' : `/commands?${parameters}`;
}

/** The address of one command, without filters. */
export function commandAddress(name: string): string {
  return `/commands#${encodeURIComponent(name)}`;
}

/** The command in the hash of an address; empty when there is none or it cannot be decoded. */
export function commandInHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
