import { costOf, type Price } from '../../billing/price.js';
import type { Model } from '../../models/model.types.js';
import type { UsageCallDetail } from '../../usage/reports/usage-call.types.js';
import { toDollars } from '../shared/spending.js';
import type { CacheWriteView, CallChargeView } from './dto/call-charge.view.js';

/**
 * `model`: the model that served the call, with its current prices. They explain the charge only if they have not
 * changed since.
 */
export function toChargeView(call: UsageCallDetail, model: Model | undefined): CallChargeView | null {
  const priced = model?.price.version === call.priceVersion ? model : undefined;
  const isUnpriced = priced !== undefined && !priced.hasPrice && isNotCharged(call);
  const hasOtherPrices = model !== undefined && priced === undefined && call.costNanodollars > 0n;
  if (call.charge === null && !isUnpriced && !hasOtherPrices) return null;
  const { basis = null, cacheWrite5m, cacheWrite1h, serviceTier, factor, hostedTools, ...notes } = call.charge ?? {};
  return {
    basis,
    cacheWrites: [...cacheWrites(5, cacheWrite5m, priced?.price), ...cacheWrites(60, cacheWrite1h, priced?.price)],
    serviceTier: serviceTier === undefined || factor === undefined ? null : { name: serviceTier, factor },
    hostedTools: Object.entries(hostedTools ?? {}).map(([name, calls]) => ({ name, calls })),
    overReservedUsd: toDollars(notes.overReserved ?? 0),
    isFree: notes.isFree === true,
    isUnpriced,
    listUsd: priced?.hasPrice ? toDollars(costOf(call.tokens, priced.price)) : null,
    outputCeiling: notes.outputCeiling ?? null,
    hasOtherPrices,
  };
}

/** An upstream was called and tokens were used, but nothing was charged. */
function isNotCharged({ simulated, upstream, tokens, costNanodollars }: UsageCallDetail): boolean {
  return !simulated && upstream !== null && costNanodollars === 0n && tokens.input + tokens.output > 0;
}

function cacheWrites(minutes: 5 | 60, tokens: number | undefined, price: Price | undefined): CacheWriteView[] {
  if (!tokens) return [];
  if (!price || price.input === 0n) return [{ minutes, tokens, factor: null }];
  const write = minutes === 5 ? price.cacheWrite5m : price.cacheWrite1h;
  return [{ minutes, tokens, factor: Number((write * 10_000n) / price.input) / 10_000 }];
}
