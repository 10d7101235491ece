/** The program's own name, which people put in front of a setting's name. */
const PREFIX = 'GUILDBOOK';
/** Words of up to this many letters may differ by one edit, longer ones by two. */
const SHORT_WORD_MAX = 4;

/**
 * The setting that a mistyped name most likely means, or undefined when it resembles none. Letter case, separators,
 * the order of the words and the prefix GUILDBOOK_ are ignored; in addition a few letters may be wrong.
 */
export function findSimilar(name: string, settings: Iterable<string>): string | undefined {
  let nearest: { setting: string; edits: number } | undefined;
  for (const setting of settings) {
    const edits = editsBetween(wordsOf(name), wordsOf(setting));
    if (edits !== undefined && edits < (nearest?.edits ?? Number.POSITIVE_INFINITY)) {
      nearest = { setting, edits };
    }
  }
  return nearest?.setting;
}

function wordsOf(name: string): string[] {
  const words = name
    .toUpperCase()
    .split(/[_.-]+/)
    .filter((word) => word !== '');
  return words.length > 1 && words[0] === PREFIX ? words.slice(1) : words;
}

/** The number of edits between two names; undefined when they are too different. */
function editsBetween(given: readonly string[], expected: readonly string[]): number | undefined {
  if (given.toSorted().join('_') === expected.toSorted().join('_')) {
    return 0;
  }
  // First as a whole: a separator may be missing or in the wrong place.
  const [whole, expectedWhole] = [given.join(''), expected.join('')];
  if (Math.abs(whole.length - expectedWhole.length) <= 1 && countEdits(whole, expectedWhole) <= 1) {
    return 1;
  }
  if (given.length !== expected.length) {
    return undefined;
  }
  // Word by word, so that JWT_TOKEN, two letters away from BOT_TOKEN, does not match it.
  const edits = given.map((word, index) => countEdits(word, expected[index] ?? ''));
  const isNear = edits.every((count, index) => count <= allowedIn(expected[index] ?? ''));
  return isNear ? edits.reduce((sum, count) => sum + count, 0) : undefined;
}

function allowedIn(word: string): number {
  return word.length <= SHORT_WORD_MAX ? 1 : 2;
}

/**
 * The smallest number of letters to insert, delete, replace or swap with their neighbour to turn one word into the
 * other.
 */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const choices = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
      ];
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        choices.push(at(beforeLast, column - 2) + 1);
      }
      current.push(Math.min(...choices));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(counts: readonly number[], column: number): number {
  return counts[column] ?? Number.POSITIVE_INFINITY;
}
