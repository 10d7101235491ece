/**
 * Splits a step into its statements. Each is sent alone, because Citus forwards the client's text of some commands to its workers. In
 * our files a semicolon at the end of a line ends a statement, except between two `$$`.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let lines: string[] = [];
  let isQuoted = false;
  for (const line of sql.split('\n')) {
    if (!isQuoted && /^\s*(--|$)/.test(line)) {
      continue;
    }
    lines.push(line);
    // An odd number of `$$` in a line opens or closes a quoted text.
    isQuoted = isQuoted !== (line.split('$$').length % 2 === 0);
    if (!isQuoted && line.trimEnd().endsWith(';')) {
      statements.push(lines.join('\n'));
      lines = [];
    }
  }
  return lines.length > 0 ? [...statements, lines.join('\n')] : statements;
}
