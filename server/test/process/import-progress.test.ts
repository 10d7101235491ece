import { afterEach, expect, test, vi } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';

const wasTerminal = process.stderr.isTTY;

afterEach(() => {
  process.stderr.isTTY = wasTerminal;
  vi.restoreAllMocks();
});

/** Catches what goes to standard error, with a clock in the test's hand. */
function watchProgress({ isTerminal }: { isTerminal: boolean }) {
  const written: string[] = [];
  let nowMs = 1_000;
  process.stderr.isTTY = isTerminal;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  return {
    written,
    progress: createProgress('Importing discharges'),
    advance(ms: number) {
      nowMs += ms;
    },
  };
}

test('short work says nothing where nobody watches', () => {
  const { written, progress, advance } = watchProgress({ isTerminal: false });
  for (let step = 0; step < 49; step += 1) {
    advance(100);
    progress.update({ done: step, total: 100, count: step });
  }
  progress.finish();
  expect(written).toEqual([]);
});

test('long work writes a plain line every five seconds, with rate and time left', () => {
  const { written, progress, advance } = watchProgress({ isTerminal: false });
  for (let step = 1; step <= 120; step += 1) {
    advance(100);
    progress.update({ done: step, total: 480, count: step * 1_000 });
  }
  progress.finish();
  expect(written).toEqual([
    'Importing discharges 10 %: 50,000 records, 10,000/s, 43 s left\n',
    'Importing discharges 20 %: 100,000 records, 10,000/s, 38 s left\n',
  ]);
});

test('without a known end there is no share and no time left', () => {
  const { written, progress, advance } = watchProgress({ isTerminal: false });
  advance(5_000);
  progress.update({ done: 10, total: undefined, count: 250 });
  expect(written).toEqual(['Importing discharges: 250 records, 50/s\n']);
});

test('a terminal gets a bar that is drawn over itself and taken away at the end', () => {
  const { written, progress, advance } = watchProgress({ isTerminal: true });
  advance(100);
  progress.update({ done: 1, total: 2, count: 5 });
  advance(50);
  progress.update({ done: 2, total: 2, count: 10 });
  progress.finish();
  expect(written).toEqual([
    '\r\x1b[2KImporting discharges [############............] 50 %  5 records, 50/s, 1 s left',
    '\r\x1b[2K',
  ]);
});
