/** The values of a statement's parameters. */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** Its place in the statement, with its type: `$1::int[]`. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
