export type CsvValue = string | number | bigint | boolean | Date | null;

/** What a spreadsheet would run as a formula when a cell begins with it; the wide forms count in some of them. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** One cell by RFC 4180. A text that a spreadsheet would take for a formula gets a `'` in front; a number never does. */
export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its end. */
export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}
