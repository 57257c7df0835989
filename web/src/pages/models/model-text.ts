import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { ModelView } from '../../api/lists';
import type { components } from '../../api/schema';
import { errorRateOf, formatFactor, formatNumber, formatPercent, formatPrice, formatUsd } from '../../kit/numbers';
import { toolWords } from '../../kit/words';

export type ModelActivity = components['schemas']['ModelActivityView'];

const REFRESH_MS = 60_000;

/** The models with requests in the last 24 hours. */
export const modelActivityQuery = queryOptions({
  queryKey: ['models', 'activity'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/models/activity', { signal })),
  refetchInterval: REFRESH_MS,
});

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

const STORED_FOR: Readonly<Record<string, string>> = { '5m': '5 min', '30m': '30 min', '1h': '1 h', '12h': '12 h' };

/** The prices of request options, if set: "Cache write (1 h) $10.00", "priority × 2". */
export function priceOptions({ price }: Pick<ModelView, 'price'>): string[] {
  const { cacheWriteUsdPerMTok, serviceTiers, hostedTools } = price;
  return [
    ...Object.entries(cacheWriteUsdPerMTok).map(
      ([lifetime, usd]) => `Cache write (${STORED_FOR[lifetime] ?? lifetime}) ${formatPrice(usd)}`,
    ),
    ...Object.entries(serviceTiers).map(([tier, factor]) => `${toolWords(tier)} × ${formatFactor(factor)}`),
    ...Object.entries(hostedTools).map(([tool, usd]) => `${toolWords(tool)} ${formatUsd(usd)} per call`),
  ];
}

/** "Over 272,000 input tokens: $4.00 input, $0.20 cached, $15.00 output". */
export function priceSteps({ price }: Pick<ModelView, 'price'>): string[] {
  return price.above.map(
    ({ inputTokens, inputUsdPerMTok: input, cachedInputUsdPerMTok: cached, outputUsdPerMTok: output }) =>
      `Over ${formatNumber(inputTokens)} input tokens: ${formatPrice(input)} input, ${formatPrice(cached)} cached, ${formatPrice(output)} output`,
  );
}

/** It can be called for real, but has no price. */
export function isUnpriced({ hasPrice, simulated, reason }: Pick<ModelView, 'hasPrice' | 'simulated' | 'reason'>) {
  return !hasPrice && !simulated && reason !== 'no_credential';
}

/** US dollars per million tokens; "–" if unknown. */
export function priceText({ hasPrice }: Pick<ModelView, 'hasPrice'>, usdPerMTok: number): string {
  return hasPrice ? formatPrice(usdPerMTok) : '–';
}
