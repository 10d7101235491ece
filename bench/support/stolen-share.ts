import { readFileSync } from 'node:fs';

/** Measures the share of processor time that other machines took, from now on until the function returned is called. Linux only. */
export function startStolenShare(): () => number {
  const read = () => {
    const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const ticks = first.split(/\s+/).slice(1, 9).map(Number);
    return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, one) => sum + one, 0) };
  };
  const before = read();
  return () => {
    const after = read();
    return (after.stolen - before.stolen) / (after.all - before.all);
  };
}
