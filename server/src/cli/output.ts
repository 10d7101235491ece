/** Prints rows as columns with headings; the last column is not padded. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [headings, ...rows]) {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
    );
    console.log(cells.join('  '));
  }
}

/** For `--json`: prints one JSON document. */
export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}

export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
