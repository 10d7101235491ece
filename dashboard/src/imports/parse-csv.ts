export interface CsvLine {
  /** The number of its first line in the file, from 1. */
  line: number;
  cells: string[];
}

/** Quoted cells may contain commas, quotes and line breaks. Empty lines are skipped. */
export function parseCsv(text: string): CsvLine[] {
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let line = 1;
  let startLine = 1;
  const endLine = () => {
    cells.push(cell);
    if (cells.length > 1 || cells[0] !== '') lines.push({ line: startLine, cells });
    cells = [];
    cell = '';
    startLine = line;
  };
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charAt(index);
    if (sign === '\n') line += 1;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(index + 1) === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === ',') {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') endLine();
    else if (sign !== '\r') cell += sign;
  }
  endLine();
  return lines;
}
