type Row = Readonly<Record<string, unknown>>;

/** Prints a command's result as one JSON value, or for people. */
export function print(result: Row | readonly Row[], asJson: boolean): void {
  process.stdout.write(`${asJson ? JSON.stringify(result) : toText(result)}\n`);
}

/** `name: value` lines, or a table of a list. */
export function toText(result: Row | readonly Row[]): string {
  if (isList(result)) return result.length === 0 ? '(none)' : toTable(result);
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${toCell(value)}`)
    .join('\n');
}

function toTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => toCell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
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
