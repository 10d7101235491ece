/** So many of the numbers from 1 to `last`, or all of them when there are fewer; the first and the last always. */
export function evenly(last: number, max: number): number[] {
  const points = Math.min(last, max);
  const step = points > 1 ? (last - 1) / (points - 1) : 0;
  return Array.from({ length: points }, (_, index) => 1 + Math.round(index * step));
}
