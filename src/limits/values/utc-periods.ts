export interface UtcPeriod {
  readonly from: Date;
  /** The first instant of the next one. */
  readonly to: Date;
}

/** The day or month that an instant is in. Budgets and "this month" go by UTC, the same for everybody. */
export function utcPeriodOf(unit: 'day' | 'month', at: Date): UtcPeriod {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const [from, to] =
    unit === 'day'
      ? [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)]
      : [Date.UTC(year, month), Date.UTC(year, month + 1)];
  return { from: new Date(from), to: new Date(to) };
}
