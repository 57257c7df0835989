export type CsvValue = string | number | bigint | boolean | Date | null;

/** What a spreadsheet would take for a cell's beginning, whichever character it splits by; the quotes are its own then. */
const CELL_START = /(^|[;\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;
/** What must not begin a cell either: some spreadsheets leave it out. */
const BLANK_START = /^[\t\r\n]/;

/** By this a spreadsheet knows that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** One cell by RFC 4180. What a spreadsheet would take for a formula gets a `'` in front; a number never does. */
export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  const defused = value.replace(CELL_START, "$1$2'");
  const text = BLANK_START.test(defused) ? `'${defused}` : defused;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The first line of a file. */
export function csvHead(columns: readonly string[]): string {
  return BYTE_ORDER_MARK + csvRow(columns);
}

/** One line with its end. */
export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
