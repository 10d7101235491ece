/**
 * Tells somebody who counts. What that throws is ignored: a metric that cannot be counted is no reason to refuse a write,
 * and there is nobody here to report it to.
 */
export function tell(listener: ((value: number) => void) | undefined, value: number): void {
  try {
    listener?.(value);
  } catch {
    // As said above.
  }
}
