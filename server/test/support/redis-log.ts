const SHARED = 'rate limits are shared through Redis';
const LOCAL = 'Redis is out of reach: rate limits are local';

/** The changes between shared and local limits in a service's log. */
export function limitChanges(logLines: readonly string[]): ('shared' | 'local')[] {
  return logLines.flatMap((line) => {
    if (line.includes(SHARED)) {
      return ['shared'];
    }
    return line.includes(LOCAL) ? ['local'] : [];
  });
}

/** True when no change is logged twice in a row. */
export function isEachToldOnce(changes: readonly string[]): boolean {
  return changes.every((change, index) => change !== changes[index - 1]);
}
