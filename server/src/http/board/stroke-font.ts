/**
 * A font of strokes for pictures: capital letters, digits and signs. Each glyph has its width and its strokes on a grid in which capitals
 * are ten units high and the baseline is at 0. A stroke is a list of commands: `M x y` moves, `L x y` draws a line, `Q cx cy x y` a curve,
 * and `A cx cy rx ry from to` an arc between two angles in degrees, counter-clockwise from the right.
 */
const GLYPHS: Readonly<Record<string, readonly [width: number, strokes: string]>> = {
  A: [8, 'M0 0 L4 10 L8 0 M1.5 3.6 L6.5 3.6'],
  B: [7, 'M4 10 L.5 10 L.5 0 L4.2 0 A4.2 2.6 2.8 2.6 -90 90 L.5 5.2 M4 10 A4 7.6 2.5 2.4 90 -90'],
  C: [8.3, 'A4.5 5 4 5 48 312'],
  D: [7.8, 'M3 0 L.5 0 L.5 10 L3 10 A3 5 4.5 5 90 -90'],
  E: [6.4, 'M6 10 L.5 10 L.5 0 L6 0 M.5 5.2 L5.2 5.2'],
  F: [6.2, 'M6 10 L.5 10 L.5 0 M.5 5.2 L5 5.2'],
  G: [8.8, 'A4.5 5 4 5 48 360 L5.2 5'],
  H: [7.6, 'M.5 0 L.5 10 M7 0 L7 10 M.5 5.1 L7 5.1'],
  I: [1, 'M.5 0 L.5 10'],
  J: [5.2, 'M4.6 10 L4.6 2.6 A2.3 2.6 2.3 2.6 0 -160'],
  K: [7, 'M.5 0 L.5 10 M6.8 10 L.5 3.8 M2.9 6.2 L7 0'],
  L: [5.6, 'M.5 10 L.5 0 L5.5 0'],
  M: [9, 'M.5 0 L.5 10 L4.5 3 L8.5 10 L8.5 0'],
  N: [7.7, 'M.5 0 L.5 10 L7.2 0 L7.2 10'],
  O: [9.4, 'A4.7 5 4.2 5 0 360'],
  P: [6.9, 'M.5 0 L.5 10 L4 10 A4 7.2 2.8 2.8 90 -90 L.5 4.4'],
  Q: [9.4, 'A4.7 5 4.2 5 0 360 M6 2.4 L8.8 -.6'],
  R: [7.2, 'M.5 0 L.5 10 L4 10 A4 7.2 2.8 2.8 90 -90 L.5 4.4 M4 4.4 L7 0'],
  S: [7.2, 'A3.7 7.5 2.9 2.5 35 270 A3.7 2.5 3.2 2.5 90 -145'],
  T: [7, 'M0 10 L7 10 M3.5 10 L3.5 0'],
  U: [7.6, 'M.5 10 L.5 3.6 A3.8 3.6 3.3 3.6 180 360 L7.1 10'],
  V: [7.6, 'M0 10 L3.8 0 L7.6 10'],
  W: [10.8, 'M0 10 L2.6 0 L5.4 9 L8.2 0 L10.8 10'],
  X: [7.2, 'M.3 0 L6.9 10 M.3 10 L6.9 0'],
  Y: [7.2, 'M0 10 L3.6 4.8 L7.2 10 M3.6 4.8 L3.6 0'],
  Z: [7, 'M.4 10 L6.6 10 L.3 0 L6.8 0'],
  '0': [7, 'A3.5 5 3.1 5 0 360'],
  '1': [7, 'M1.4 8.1 L3.8 10 L3.8 0'],
  '2': [7, 'A3.5 7.1 2.9 2.9 170 -35 L.6 0 L6.5 0'],
  '3': [7, 'A3.3 7.6 2.6 2.4 150 -90 A3.3 2.6 3 2.6 90 -150'],
  '4': [7, 'M5 0 L5 10 L.4 3 L6.8 3'],
  '5': [7, 'M6 10 L1.4 10 L1 5.6 A3.4 3.2 3.1 3.2 140 -150'],
  '6': [7, 'A3.5 3 3 3 0 360 M.5 3.2 Q.8 7.8 5 10'],
  '7': [7, 'M.4 10 L6.6 10 L2.4 0'],
  '8': [7, 'A3.5 7.5 2.5 2.5 0 360 A3.5 2.5 3 2.5 0 360'],
  '9': [7, 'A3.5 7 3 3 0 360 M6.5 6.8 Q6.2 2.2 2 0'],
  ' ': [3.6, ''],
  '.': [1.2, 'M.6 .1 L.6 .2'],
  ',': [1.4, 'M.9 .2 L.4 -1.6'],
  ':': [1.2, 'M.6 .8 L.6 .9 M.6 6 L.6 6.1'],
  "'": [1, 'M.5 10 L.5 7.6'],
  '!': [1.2, 'M.6 10 L.6 3 M.6 .1 L.6 .2'],
  '?': [6, 'A3 7.4 2.6 2.6 160 -60 L3 3 M3 .1 L3 .2'],
  '-': [4.6, 'M.6 4.6 L4 4.6'],
  '+': [6.6, 'M.6 4.6 L6 4.6 M3.3 1.9 L3.3 7.3'],
  '/': [4.6, 'M.2 -1 L4.4 11'],
  '(': [2.6, 'A4.5 4.7 4 6.4 125 235'],
  ')': [2.6, 'A-1.9 4.7 4 6.4 55 -55'],
  '[': [2.6, 'M2.4 11 L.6 11 L.6 -1.4 L2.4 -1.4'],
  ']': [2.6, 'M.2 11 L2 11 L2 -1.4 L.2 -1.4'],
  _: [6, 'M0 -1 L6 -1'],
  '&': [8.4, 'M8 0 L2 6.6 A3.6 7.8 2.1 2.2 215 -40 L1.6 4.4 A3.4 2.6 2.9 2.6 130 330 L8 4.6'],
  '#': [7.6, 'M2 0 L3.2 10 M4.8 0 L6 10 M.6 3.2 L7 3.2 M1 6.8 L7.4 6.8'],
  '%': [9, 'M1.6 0 L7.4 10 A2 7.8 1.6 2 0 360 M0 0 A7 2.2 1.6 2 0 360'],
  '|': [1, 'M.5 -1.4 L.5 11'],
  '~': [6.6, 'M.5 4 Q2 6.4 3.3 4.8 Q4.6 3.2 6.1 5.4'],
  '*': [5, 'M2.5 10 L2.5 5.6 M.6 8.9 L4.4 6.7 M.6 6.7 L4.4 8.9'],
};

/** Accents by their combining characters. They are centred over or under the letter before them, at `x` 0. */
const MARKS: Readonly<Record<string, string>> = {
  '\u0300': 'M-1.6 13.4 L.6 11.8',
  '\u0301': 'M1.6 13.4 L-.6 11.8',
  '\u0302': 'M-1.9 11.8 L0 13.4 L1.9 11.8',
  '\u0303': 'M-2.4 12 Q-1.2 14.2 0 12.7 Q1.2 11.2 2.4 13.4',
  '\u0308': 'M-1.6 12.4 L-1.6 12.5 M1.6 12.4 L1.6 12.5',
  '\u030A': 'A0 12.7 1.1 1.1 0 360',
  '\u0327': 'M.1 0 L-.3 -1.1 Q1.7 -1.2 1.1 -2.4 Q.5 -3.1 -1 -2.7',
};

const SPACING = 2.1;
const ARC_STEP_DEGREES = 12;
const CURVE_STEPS = 10;
const UNITS = 10;

export type Segment = readonly [fromX: number, fromY: number, toX: number, toY: number];

/** The text as this font can draw it: capitals, without accents that it does not have. Undefined when a character has no glyph. */
export function drawable(text: string): string | undefined {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, (mark) => (MARKS[mark] === undefined ? '' : mark))
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[–—−]/g, '-')
    .toUpperCase()
    .replaceAll(/\s+/g, ' ')
    .trim();
  const isKnown = (character: string) => GLYPHS[character] !== undefined || MARKS[character] !== undefined;
  return plain !== '' && [...plain].every(isKnown) ? plain : undefined;
}

/** The width of a text whose capitals are `height` pixels high. */
export function widthOf(text: string, height: number): number {
  const letters = [...text].filter((character) => MARKS[character] === undefined);
  const widths = letters.map((character) => (GLYPHS[character]?.[0] ?? 0) + SPACING);
  return (
    Math.max(
      0,
      widths.reduce((sum, width) => sum + width, -SPACING),
    ) *
    (height / UNITS)
  );
}

/** The lines of a text, in pixels. `x` and `y` are the left end of its baseline. */
export function segmentsOf(
  text: string,
  { x, y, height }: { x: number; y: number; height: number },
): Segment[] {
  const scale = height / UNITS;
  let left = 0;
  let middle = 0;
  return [...text].flatMap((character) => {
    const mark = MARKS[character];
    const [width, strokes] = GLYPHS[character] ?? [0, ''];
    const start = mark === undefined ? left : middle;
    if (mark === undefined) {
      middle = left + width / 2;
      left += width + SPACING;
    }
    return flatten(mark ?? strokes).map(
      ([fromX, fromY, toX, toY]): Segment => [
        x + (start + fromX) * scale,
        y - fromY * scale,
        x + (start + toX) * scale,
        y - toY * scale,
      ],
    );
  });
}

/** The strokes of a glyph as straight lines. */
function flatten(strokes: string): Segment[] {
  const segments: Segment[] = [];
  let at: [number, number] | undefined;
  const lineTo = (x: number, y: number) => {
    if (at !== undefined) {
      segments.push([...at, x, y]);
    }
    at = [x, y];
  };
  for (const [, command, values = ''] of strokes.matchAll(/([MLQA])([^MLQA]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, from = 0, to = 0] = values.trim().split(/\s+/).map(Number);
    if (command === 'M') {
      at = [a, b];
    } else if (command === 'L') {
      lineTo(a, b);
    } else if (command === 'Q') {
      const [x, y] = at ?? [a, b];
      for (let step = 1; step <= CURVE_STEPS; step += 1) {
        const t = step / CURVE_STEPS;
        const [near, middle, far] = [(1 - t) ** 2, 2 * t * (1 - t), t * t];
        lineTo(near * x + middle * a + far * c, near * y + middle * b + far * d);
      }
    } else {
      const steps = Math.ceil(Math.abs(to - from) / ARC_STEP_DEGREES);
      at = isAt(at, pointOn([a, b, c, d], from)) ? at : undefined;
      for (let step = 0; step <= steps; step += 1) {
        lineTo(...pointOn([a, b, c, d], from + ((to - from) * step) / steps));
      }
    }
  }
  return segments;
}

function pointOn(
  [x, y, radiusX, radiusY]: readonly [number, number, number, number],
  degrees: number,
): [number, number] {
  const angle = (degrees * Math.PI) / 180;
  return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)];
}

/** An arc continues the stroke before it when it begins near its end. */
function isAt(one: readonly [number, number] | undefined, other: readonly [number, number]): boolean {
  return one !== undefined && Math.hypot(one[0] - other[0], one[1] - other[1]) < 1.2;
}
