const SHARED = 'rate limits are shared through Redis';
const LOCAL = 'Redis is out of reach: rate limits are local';

/** What a service's log says of its limits, change by change. */
export function limitChanges(logLines: readonly string[]): ('shared' | 'local')[] {
  return logLines.flatMap((line) => {
    if (line.includes(SHARED)) {
      return ['shared'];
    }
    return line.includes(LOCAL) ? ['local'] : [];
  });
}

/** Whether no change was told twice. */
export function isEachToldOnce(changes: readonly string[]): boolean {
  return changes.every((change, index) => change !== changes[index - 1]);
}
