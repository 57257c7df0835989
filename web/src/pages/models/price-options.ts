import type { ModelView } from '../../api/lists';
import { formatFactor, formatPrice, formatUsd } from '../../kit/numbers';

/** The prices of request options, if set: "Cache write (1 h) $10.00", "priority × 2". */
export function priceOptions({ price }: Pick<ModelView, 'price'>): string[] {
  const { cacheWrite5mUsdPerMTok: fiveMinutes, cacheWrite1hUsdPerMTok: anHour, serviceTiers, hostedTools } = price;
  return [
    ...(fiveMinutes === null ? [] : [`Cache write (5 min) ${formatPrice(fiveMinutes)}`]),
    ...(anHour === null ? [] : [`Cache write (1 h) ${formatPrice(anHour)}`]),
    ...Object.entries(serviceTiers).map(([tier, factor]) => `${tier} × ${formatFactor(factor)}`),
    ...Object.entries(hostedTools).map(([tool, usd]) => `${tool} ${formatUsd(usd)} per call`),
  ];
}

/** It can be called for real, but has no price. */
export function isUnpriced({ hasPrice, simulated, reason }: Pick<ModelView, 'hasPrice' | 'simulated' | 'reason'>) {
  return !hasPrice && !simulated && reason !== 'no_credential';
}

/** US dollars per million tokens; "–" if unknown. */
export function priceText({ hasPrice }: Pick<ModelView, 'hasPrice'>, usdPerMTok: number): string {
  return hasPrice ? formatPrice(usdPerMTok) : '–';
}
