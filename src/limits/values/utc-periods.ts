export interface UtcPeriod {
  readonly from: Date;
  readonly to: Date;
}

/** The day or month of an instant in UTC, which budgets use. */
export function utcPeriodOf(unit: 'day' | 'month', at: Date): UtcPeriod {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const [from, to] =
    unit === 'day'
      ? [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)]
      : [Date.UTC(year, month), Date.UTC(year, month + 1)];
  return { from: new Date(from), to: new Date(to) };
}
