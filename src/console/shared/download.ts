import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

interface Rows<Item> {
  readonly batches: AsyncIterable<readonly Item[]>;
  /** The header row of the CSV. */
  readonly columns: readonly string[];
  readonly toCells: (item: Item) => CsvValue[];
  readonly toJson: (item: Item) => object;
}

/** A file to download, read as fast as the client consumes it. */
export interface Download {
  readonly text: AsyncGenerator<string>;
  readonly contentType: string;
  readonly fileName: string;
}

export function download<Item>(name: string, format: 'csv' | 'json', rows: Rows<Item>): Download {
  const fileName = `${name}.${format}`;
  return format === 'csv'
    ? { text: csvText(rows), contentType: 'text/csv; charset=utf-8', fileName }
    : { text: jsonText(rows), contentType: 'application/json; charset=utf-8', fileName };
}

export async function sendDownload(response: Response, { text, contentType, fileName }: Download): Promise<void> {
  response.attachment(fileName).type(contentType);
  await pipeline(Readable.from(text), response).catch(ignoreDisconnect);
}

async function* csvText<Item>({ batches, columns, toCells }: Rows<Item>): AsyncGenerator<string> {
  yield csvHead(columns);
  for await (const items of batches) yield items.map((item) => csvRow(toCells(item))).join('');
}

async function* jsonText<Item>({ batches, toJson }: Rows<Item>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const items of batches) {
    if (items.length === 0) continue;
    yield separator + items.map((item) => JSON.stringify(toJson(item))).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** A client that disconnects early is not an error. */
function ignoreDisconnect(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
}

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
