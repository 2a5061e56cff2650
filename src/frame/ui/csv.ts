/** Tables as text (RFC 4180), for spreadsheets. */

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Every cell is quoted; one that would be a formula begins with an apostrophe. Without the mark at the start, Excel reads UTF-8 as something else. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')}`;
}

function cellOf(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

/** The cells of each row that is not empty, as `csvOf` or a spreadsheet wrote them, with commas or semicolons between them. */
export function csvRows(text: string): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const comma = /^[^\r\n]*?;/.test(content) && !/^[^\r\n]*?,/.test(content) ? ';' : ',';
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = (): void => {
    cells.push(cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell);
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    if (cells.some((one) => one.trim())) rows.push(cells);
    cells = [];
  };
  for (let i = 0; i < content.length; i++) {
    const sign = content[i]!;
    if (isQuoted && sign === '"' && content[i + 1] === '"') {
      cell += sign;
      i++;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) cell += sign;
    else if (sign === comma) endCell();
    else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  endRow();
  return rows;
}
