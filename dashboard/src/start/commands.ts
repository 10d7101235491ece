export interface Command {
  category: string;
  name: string;
  description: string;
  extendedHelp: string;
  preconditions: string[];
}

/** The catalogue, or the fact that the operator serves it only to callers with a key. */
export type Catalogue = { isLocked: true } | { isLocked: false; commands: Command[] };

const answerWaitMs = 10_000;

export async function fetchCatalogue(): Promise<Catalogue> {
  const response = await fetch('/commands', { signal: AbortSignal.timeout(answerWaitMs) });
  if (response.status === 401) return { isLocked: true };
  if (!response.ok) throw new Error(`The service answered with status ${response.status}.`);
  const body: unknown = await response.json();
  if (!isRecord(body) || !Array.isArray(body.data)) throw new Error('The answer is not a list of commands.');
  return { isLocked: false, commands: body.data.filter(isRecord).map(readCommand) };
}

export interface CommandGroup {
  category: string;
  commands: Command[];
}

/** Commands that match the search, by category, both in alphabetical order. */
export function groupCommands(commands: Command[], search: string): CommandGroup[] {
  const wanted = search.trim().toLowerCase();
  const groups = new Map<string, Command[]>();
  for (const command of commands) {
    const text = `${command.category} ${command.name} ${command.description} ${command.extendedHelp}`;
    if (!text.toLowerCase().includes(wanted)) continue;
    const group = groups.get(command.category);
    if (group) group.push(command);
    else groups.set(command.category, [command]);
  }
  return [...groups]
    .map(([category, members]) => ({
      category,
      commands: members.sort((one, other) => one.name.localeCompare(other.name)),
    }))
    .sort((one, other) => one.category.localeCompare(other.category));
}

function readCommand(record: Record<string, unknown>): Command {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const preconditions = Array.isArray(record.preconditions) ? record.preconditions : [];
  return {
    category: text(record.category) || 'Other',
    name: text(record.name),
    description: text(record.description),
    extendedHelp: text(record.extendedHelp),
    preconditions: preconditions.filter((condition) => typeof condition === 'string'),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
