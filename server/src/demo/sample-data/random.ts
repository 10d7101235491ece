/** A seeded random generator: the same seed and stream always give the same values. */
export interface Random {
  /** At least 0 and below 1. */
  fraction(): number;
  /** A whole number, both ends included. */
  integer(range: { min: number; max: number }): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
  /** Text made of characters of the alphabet, such as an identifier. */
  text(options: { alphabet: string; length: number }): string;
}

/** Separate streams keep the data of one part unchanged when another part draws more numbers. */
export function createRandom({ seed, stream }: { seed: number; stream: number }): Random {
  const fraction = createFractions({ seed, stream });
  const integer = ({ min, max }: { min: number; max: number }) =>
    min + Math.floor(fraction() * (max - min + 1));

  function pick<T>(list: readonly T[]): T {
    return itemAt(list, integer({ min: 0, max: list.length - 1 }));
  }

  function shuffle<T>(list: readonly T[]): T[] {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = integer({ min: 0, max: last });
      const moved = itemAt(shuffled, last);
      shuffled[last] = itemAt(shuffled, other);
      shuffled[other] = moved;
    }
    return shuffled;
  }

  function text({ alphabet, length }: { alphabet: string; length: number }): string {
    let result = '';
    while (result.length < length) {
      result += alphabet.charAt(integer({ min: 0, max: alphabet.length - 1 }));
    }
    return result;
  }

  return { fraction, integer, chance: (probability) => fraction() < probability, pick, shuffle, text };
}

/** Weighs the items once, so that each of the many draws is only a binary search. */
export function createWeightedPicker<T>(
  items: readonly T[],
  weightOf: (item: T) => number,
): (random: Random) => T {
  let sum = 0;
  const sums = items.map((item) => {
    sum += weightOf(item);
    return sum;
  });
  return (random) => {
    const target = random.fraction() * sum;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (itemAt(sums, middle) > target) high = middle;
      else low = middle + 1;
    }
    return itemAt(items, low);
  };
}

function itemAt<T>(list: readonly T[], index: number): T {
  if (index < 0 || index >= list.length) throw new RangeError(`no item ${index} in a list of ${list.length}`);
  // The bounds were checked above, and T itself may include undefined.
  return list[index] as T;
}

/** The sfc32 generator: small, fast and even enough for sample data. Never use it for secrets. */
function createFractions({ seed, stream }: { seed: number; stream: number }): () => number {
  let a = seed | 0;
  let b = stream | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4294967296;
  };
  // Close seeds give close first numbers; these rounds mix them apart.
  for (let round = 0; round < 16; round += 1) next();
  return next;
}
