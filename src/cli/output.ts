export type Row = Readonly<Record<string, unknown>>;

/** Prints a command's result as one JSON value, or for people. */
export function print(result: Row | readonly Row[], asJson = false): void {
  process.stdout.write(`${asJson ? JSON.stringify(result) : toText(result)}\n`);
}

/** Prints a list of batches like `print`, with one batch in memory. */
export async function printBatches<Item>(
  batches: AsyncIterable<readonly Item[]>,
  toRow: (item: Item) => Row,
  asJson = false,
): Promise<void> {
  for await (const text of asJson ? jsonOf(batches, toRow) : tableOf(batches, toRow)) await written(text);
}

async function* jsonOf<Item>(batches: AsyncIterable<readonly Item[]>, toRow: (item: Item) => Row) {
  let start = '[';
  for await (const items of batches) {
    yield start + items.map((item) => JSON.stringify(toRow(item))).join(',');
    start = ',';
  }
  yield start === '[' ? '[]\n' : ']\n';
}

/** A column is as wide as its widest cell so far. */
async function* tableOf<Item>(batches: AsyncIterable<readonly Item[]>, toRow: (item: Item) => Row) {
  let widths: number[] | null = null;
  for await (const items of batches) {
    const rows = items.map(toRow);
    const names = Object.keys(rows[0] ?? {});
    const lines = [...(widths ? [] : [names]), ...rows.map((row) => cellsOf(row, names))];
    widths = widthsOf(lines, widths ?? []);
    yield `${toLines(lines, widths)}\n`;
  }
  if (!widths) yield '(none)\n';
}

/** As fast as it is consumed. */
function written(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}

/** `name: value` lines, or a table for a list. */
export function toText(result: Row | readonly Row[]): string {
  if (isList(result)) return result.length === 0 ? '(none)' : toTable(result);
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${toCell(value)}`)
    .join('\n');
}

function toTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => cellsOf(row, names))];
  return toLines(lines, widthsOf(lines, []));
}

function cellsOf(row: Row, names: readonly string[]): string[] {
  return names.map((name) => toCell(row[name]));
}

function widthsOf(lines: readonly (readonly string[])[], least: readonly number[]): number[] {
  const columns = lines[0]?.map((_, column) => column) ?? [];
  return columns.map((column) =>
    lines.reduce((width, line) => Math.max(width, line[column]?.length ?? 0), least[column] ?? 0),
  );
}

function toLines(lines: readonly (readonly string[])[], widths: readonly number[]): string {
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.join(',') : String(value);
}

function isList(result: Row | readonly Row[]): result is readonly Row[] {
  return Array.isArray(result);
}

const ON_TERMINAL_MS = 200;
const ELSEWHERE_MS = 5000;
const CLEARED_LINE = '\r\u001b[K';

/**
 * Reports the progress of a long command on stderr: on a terminal in one line, otherwise in a line every five seconds.
 */
export class Progress {
  private reportedAt = performance.now();
  private isShown = false;

  constructor(private readonly output: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean } = process.stderr) {}

  tell(text: string): void {
    const isTerminal = this.output.isTTY === true;
    if (performance.now() - this.reportedAt < (isTerminal ? ON_TERMINAL_MS : ELSEWHERE_MS)) return;
    this.reportedAt = performance.now();
    this.isShown = isTerminal;
    this.output.write(isTerminal ? `${CLEARED_LINE}${text}` : `${text}\n`);
  }

  /** Clears the terminal's line. */
  end(): void {
    if (this.isShown) this.output.write(CLEARED_LINE);
  }
}
