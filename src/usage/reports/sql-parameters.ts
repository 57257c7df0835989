export class SqlParameters {
  readonly values: unknown[];

  constructor(...values: unknown[]) {
    this.values = values;
  }

  /** Returns the placeholder with its type: `$1::int[]`. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  /** Adds a list: the field's value in each row. */
  addColumn<Row>(rows: readonly Row[], field: keyof Row, type: string): string {
    const values = rows.map((row) => row[field]);
    return this.add(values, type);
  }
}
