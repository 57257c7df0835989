export class SqlParameters {
  readonly values: unknown[] = [];

  /** Returns the placeholder with its type: `$1::int[]`. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}
