export type CsvValue = string | number | bigint | boolean | Date | null;

/** The start of a cell for a spreadsheet, whichever separator it uses; quotes are then its own. */
const CELL_START = /(^|[;\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;
/** Also not allowed at the start of a cell: some spreadsheets skip it. */
const BLANK_START = /^[\t\r\n]/;

/** Tells a spreadsheet that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** One cell by RFC 4180. Text that a spreadsheet would run as a formula gets a `'` in front; numbers never do. */
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
