/**
 * Calls a listener that counts for the metrics. Its failure is ignored: a figure that cannot be counted is no reason to refuse a write.
 */
export function reportFigure(listener: ((value: number) => void) | undefined, value: number): void {
  try {
    listener?.(value);
  } catch {
    // Ignored on purpose, see above.
  }
}
