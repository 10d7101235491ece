import { POSTGRES } from '../dialect.ts';
import { type ManyRows, type Statement, textOf } from '../sql.ts';
import { COORDINATOR_TABLES, GUILD_FUNCTIONS, GUILD_TABLES, SHARED_TABLES } from './spread-tables.ts';

/**
 * The nodes of a distributed store that a statement needs. `guildAt` is the index of the value with the number of the guild whose
 * rows it reads or writes: it needs the worker that has them. `guildsAt` is the index of a list of guilds: the coordinator asks their
 * workers. `everywhere` needs every node.
 */
export type StatementPlace =
  | { readonly guildAt: number }
  | { readonly guildsAt: number }
  | 'everywhere'
  | 'coordinator';

const TABLES = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/g;
const WRITTEN_TABLES = /\b(?:INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/g;
const GUILD_VALUE = /\bguild_no = \$(\d+)/;
const GUILD_LIST = /\bguild_no = ANY \(\$(\d+)::bigint\[\]\)/;
const INSERTED_GUILD = /\bINSERT\s+INTO\s+\w+\s+\(guild_no\b[^)]*\)\s+VALUES\s+\(\$(\d+)/;
const GUILD_CALL = new RegExp(`\\b(?:${GUILD_FUNCTIONS.join('|')})\\(\\$(\\d+)`);

const places = new WeakMap<Statement<unknown> | ManyRows, StatementPlace>();

/** Finds out from its text where a statement runs. */
export function placeOf(statement: Statement<unknown> | ManyRows): StatementPlace {
  let place = places.get(statement);
  if (place === undefined) {
    place = placeOfText(textOf(statement, POSTGRES));
    places.set(statement, place);
  }
  return place;
}

export function placeOfText(text: string): StatementPlace {
  const names = (pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name]) => name ?? '');
  const isAmong = (tables: readonly string[]) => (name: string) => tables.includes(name);
  const tables = names(TABLES);
  if (tables.some(isAmong(COORDINATOR_TABLES))) {
    return 'coordinator';
  }
  if (names(WRITTEN_TABLES).some(isAmong(SHARED_TABLES))) {
    return 'everywhere';
  }
  const isCall = GUILD_CALL.test(text);
  if (!isCall && !tables.some(isAmong(GUILD_TABLES))) {
    return 'coordinator';
  }
  const value = GUILD_CALL.exec(text) ?? GUILD_VALUE.exec(text) ?? INSERTED_GUILD.exec(text);
  if (value !== null) {
    return { guildAt: Number(value[1]) - 1 };
  }
  const list = GUILD_LIST.exec(text);
  return list === null ? 'everywhere' : { guildsAt: Number(list[1]) - 1 };
}
