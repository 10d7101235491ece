/**
 * The statements of a step. Citus passes the text of some commands on to its workers as the client sent it, so that each has to be sent
 * alone. Every statement of our files ends at the end of a line, and texts with other ends of lines are between two `$$`.
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
    // An odd number of quotes opens a text or closes it.
    isQuoted = isQuoted !== (line.split('$$').length % 2 === 0);
    if (!isQuoted && line.trimEnd().endsWith(';')) {
      statements.push(lines.join('\n'));
      lines = [];
    }
  }
  return lines.length > 0 ? [...statements, lines.join('\n')] : statements;
}
