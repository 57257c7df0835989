const STEPS = [1, 2, 2.5, 5, 10];

/** A minute in milliseconds; longer times are counted in minutes. */
const MINUTE = 60_000;

/** Round values from zero to at least the highest, for an axis. */
export function roundTicks(highest: number, unit: 'usd' | 'count' | 'ms', most = 4): number[] {
  if (!(highest > 0)) return [0, unit === 'usd' ? 0.01 : 1];
  const base = unit === 'ms' && highest >= 2 * MINUTE ? MINUTE : 1;
  const step = Math.max(roundStep(highest / base / most, unit !== 'usd'), unit === 'usd' ? 0 : 1) * base;
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** The next larger round number; a whole one for counts. */
function roundStep(least: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = STEPS.find((one) => one * power >= least * (1 - 1e-9) && !(isWhole && one * power < 10 && one === 2.5));
  return (step ?? 10) * power;
}
