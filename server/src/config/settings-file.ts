import { parseEnv } from 'node:util';

/** A `NAME=value` of a settings file. */
export interface FileEntry {
  line: number;
  name: string;
  value: string;
}

export interface LineFault {
  line: number;
  fault: string;
}

export interface FileReading {
  entries: FileEntry[];
  /** Lines that are neither a setting nor a comment, and names that appear twice. */
  faults: LineFault[];
}

/** Finds the setting of a name, exact or mistyped. */
export type FindSetting = (name: string) => string | undefined;

const NAME = /^[A-Za-z_][\w.-]*$/;

/**
 * Parses a settings file like Node's `parseEnv`: comments, quotes, values of several lines and a leading `export`.
 * Node skips lines that it cannot parse; here each of them is an error. An error never shows a value, because it may
 * be a secret.
 */
export function readSettingsFile(text: string, findSetting: FindSetting): FileReading {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const reading: FileReading = { entries: [], faults: [] };
  const lineOf = new Map<string, number>();
  for (let index = 0; index < lines.length; index += 1) {
    const line = index + 1;
    const statement = readStatement(lines, index, findSetting);
    if (statement === undefined) {
      continue;
    }
    if ('fault' in statement) {
      reading.faults.push({ line, fault: statement.fault });
      continue;
    }
    const { name, value, lineCount } = statement;
    const earlier = lineOf.get(name);
    if (earlier !== undefined) {
      reading.faults.push({ line, fault: `${name} is set in line ${earlier} already; keep one of the two` });
    }
    lineOf.set(name, line);
    reading.entries.push({ line, name, value });
    index += lineCount - 1;
  }
  return reading;
}

interface Statement {
  name: string;
  value: string;
  lineCount: number;
}

type Fault = { fault: string };

/** The statement that starts in a line; undefined for a comment or an empty line. */
function readStatement(
  lines: readonly string[],
  index: number,
  findSetting: FindSetting,
): Statement | Fault | undefined {
  const text = (lines[index] ?? '').trim();
  if (text === '' || text.startsWith('#')) {
    return undefined;
  }
  const [left = '', ...rest] = text.split('=');
  if (rest.length === 0) {
    return { fault: `there is no "=" in this line; ${remedy(text, findSetting)}` };
  }
  const name = left.replace(/^export\s+/, '').trim();
  if (!NAME.test(name)) {
    return { fault: `the text before "=" is not a name; ${remedy(name, findSetting)}` };
  }
  const value = rest.join('=');
  const quote = /^\s*(["'`])/.exec(value)?.[1];
  return quote === undefined
    ? readPlain(name, value, findSetting)
    : readQuoted({ name, first: value.trimStart(), quote, following: lines.slice(index + 1) }, findSetting);
}

/** Suggests the setting that the first or the last word means, as in `PORT 3000` and `set PORT=3000`. */
function remedy(text: string, findSetting: FindSetting): string {
  const words = text.replace(/^export\s+/, '').split(/[^\w.-]+/);
  const setting = findSetting(words[0] ?? '') ?? findSetting(words.at(-1) ?? '');
  return `write ${setting ?? 'NAME'}=value, or begin a comment with #`;
}

function readPlain(name: string, value: string, findSetting: FindSetting): Statement | Fault {
  // For Node everything from the first # on is a comment. Directly after other text it is more likely part of a
  // secret.
  if (/^[^#]*\S#|^#/.test(value) && findSetting(name) !== undefined) {
    return {
      fault: `the value of ${name} has a "#" in it; put the value in quotes, or a blank in front of a comment`,
    };
  }
  return { name, value: toValue(name, value), lineCount: 1 };
}

interface Quoted {
  name: string;
  /** From the opening quote to the end of its line. */
  first: string;
  quote: string;
  following: readonly string[];
}

function readQuoted({ name, first, quote, following }: Quoted, findSetting: FindSetting): Statement | Fault {
  const isClosed = first.indexOf(quote, 1) > 0;
  const last = isClosed ? 0 : following.findIndex((line) => line.includes(quote)) + 1;
  const taken = [first, ...following.slice(0, last)];
  // No setting has a value of several lines, and no other value contains a setting. So a closing quote is missing.
  const isOpen =
    !isClosed && (last === 0 || [`${name}=`, ...taken.slice(1)].some((line) => sets(line, findSetting)));
  if (isOpen) {
    return { fault: `the quote in front of the value of ${name} is not closed in this line` };
  }
  const text = taken.join('\n');
  const end = text.indexOf(quote, 1) + 1;
  if (!/^\s*(?:#.*)?$/.test(text.slice(end))) {
    return { fault: `there is text behind the closing quote of ${name}; only a comment may follow` };
  }
  return { name, value: toValue(name, text.slice(0, end)), lineCount: taken.length };
}

/** True when a line sets one of our settings, exact or mistyped. */
function sets(line: string, findSetting: FindSetting): boolean {
  const name = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=/.exec(line)?.[1];
  return name !== undefined && findSetting(name) !== undefined;
}

/** The value as Node parses it: without quotes and comment, and with the escapes of double quotes. */
function toValue(name: string, text: string): string {
  return parseEnv(`${name}=${text}`)[name] ?? '';
}
