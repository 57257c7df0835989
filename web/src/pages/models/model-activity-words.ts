import { errorRateOf } from '../../kit/error-rate';
import { formatNumber, formatPercent } from '../../kit/numbers';
import type { ModelActivity } from './model-activity';

export const SPEED_ABOUT = 'Tokens per second: output tokens, divided by the time from the first token to the end.';

/** "98.5%"; a dash without a request that succeeded or failed. */
export function successText(activity: Pick<ModelActivity, 'succeeded' | 'errors'> | undefined): string {
  const errorRate = activity ? errorRateOf(activity) : null;
  return errorRate === null ? '–' : formatPercent(1 - errorRate);
}

/** "3 failed, 2 refused"; null if there is neither. */
export function failuresText(activity: Pick<ModelActivity, 'errors' | 'refused'> | undefined): string | null {
  if (!activity) return null;
  const { errors, refused } = activity;
  const parts = [errors > 0 && `${formatNumber(errors)} failed`, refused > 0 && `${formatNumber(refused)} refused`];
  return parts.filter(Boolean).join(', ') || null;
}

/** "84.2" below a hundred, "120" above. */
export function speedText(activity: Pick<ModelActivity, 'tokensPerSecond'> | undefined): string {
  const speed = activity?.tokensPerSecond ?? null;
  if (speed === null) return '–';
  return formatNumber(speed < 100 ? Math.round(speed * 10) / 10 : Math.round(speed));
}

/** What the times are computed from. */
export function speedBasis(activity: Pick<ModelActivity, 'streamed'> | undefined): string {
  const count = activity?.streamed ?? 0;
  if (count === 0) return 'None of the newest requests was streamed, so there are no times.';
  return `Measured over ${count === 1 ? 'one streamed request' : `${formatNumber(count)} streamed requests`}.`;
}
