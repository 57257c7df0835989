export type CsvValue = string | number | bigint | boolean | Date | null;

/** Positions where a spreadsheet may see the start of a formula, whatever its separator; quotes can come before it. */
const CELL_START = /(^|[;\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;
/** Some spreadsheets skip these at the start of a cell and see a formula after them. */
const BLANK_START = /^[\t\r\n]/;

/** Tells a spreadsheet that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * One cell, in the format of RFC 4180. Text that a spreadsheet would run as a formula gets a `'` in front; numbers
 * never do.
 */
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
