import { ApiProperty } from '@nestjs/swagger';
import { costOf, pricesFor, type TokenPrices } from '../../billing/price.js';
import { CACHE_LIFETIMES, type CacheLifetime } from '../../config/price.settings.js';
import type { Model } from '../../models/model.types.js';
import type { UsageCallDetail } from '../../usage/usage.types.js';
import { Integer, IntegerOrNull, NumberOrNull, toDollars, ViewOrNull } from '../shared/views.js';

/**
 * `model`: the model that served the call, with its current prices. They explain the charge only if they have not
 * changed since.
 */
export function toChargeView(call: UsageCallDetail, model: Model | undefined): CallChargeView | null {
  const priced = model?.price.version === call.priceVersion ? model : undefined;
  const isUnpriced = priced !== undefined && !priced.hasPrice && isNotCharged(call);
  const hasOtherPrices = model !== undefined && priced === undefined && call.costNanodollars > 0n;
  if (call.charge === null && !isUnpriced && !hasOtherPrices) return null;
  const { basis = null, serviceTier, factor, hostedTools, ...notes } = call.charge ?? {};
  return {
    basis,
    cacheWrites: CACHE_LIFETIMES.flatMap((lifetime) =>
      toCacheWrite(lifetime, notes[`cacheWrite${lifetime}`], priced && pricesFor(priced.price, call.tokens.input)),
    ),
    serviceTier: serviceTier === undefined || factor === undefined ? null : { name: serviceTier, factor },
    hostedTools: Object.entries(hostedTools ?? {}).map(([name, calls]) => ({ name, calls })),
    overReservedUsd: toDollars(notes.overReserved ?? 0),
    underestimated: notes.underestimated ?? null,
    otherAttemptsUsd: toDollars(notes.otherAttempts ?? 0),
    isFree: notes.isFree === true,
    isUnpriced,
    listUsd: priced?.hasPrice ? toDollars(costOf(call.tokens, priced.price)) : null,
    outputCeiling: notes.outputCeiling ?? null,
    hasOtherPrices,
    servedTier: notes.servedTier ?? null,
    aboveInputTokens: notes.aboveInputTokens ?? null,
    cachedUsd: notes.cached === undefined ? null : toDollars(notes.cached),
    soundTokens: (notes.audioInput ?? 0) + (notes.audioOutput ?? 0),
  };
}

/** An upstream was called and tokens were used, but nothing was charged. */
function isNotCharged({ simulated, upstream, tokens, costNanodollars }: UsageCallDetail): boolean {
  return !simulated && upstream !== null && costNanodollars === 0n && tokens.input + tokens.output > 0;
}

const MINUTES: Readonly<Record<CacheLifetime, CacheWriteView['minutes']>> = {
  '5m': 5,
  '30m': 30,
  '1h': 60,
  '12h': 720,
};

function toCacheWrite(
  lifetime: CacheLifetime,
  tokens: number | undefined,
  prices: TokenPrices | undefined,
): CacheWriteView[] {
  if (!tokens) return [];
  const factor =
    prices && prices.input > 0n ? Number((prices.cacheWrites[lifetime] * 10_000n) / prices.input) / 10_000 : null;
  return [{ minutes: MINUTES[lifetime], tokens, factor }];
}

const BASES = ['visible', 'time', 'ceiling', 'prompt'] as const;

class CacheWriteView {
  @ApiProperty({ type: 'integer', enum: [5, 30, 60, 720], description: 'How long the provider keeps them.' })
  minutes!: 5 | 30 | 60 | 720;

  @Integer()
  tokens!: number;

  @NumberOrNull('Their price in proportion to the input price; null if the prices have changed since.')
  factor!: number | null;
}

export class ServiceTierView {
  @ApiProperty({ example: 'priority' })
  name!: string;

  @ApiProperty({ description: 'Its price in proportion to the list price.' })
  factor!: number;
}

export class HostedToolCallsView {
  @ApiProperty({ example: 'web_search' })
  name!: string;

  @Integer()
  calls!: number;
}

/** Explains a charge that is not just the list price of the reported tokens. */
export class CallChargeView {
  @ApiProperty({
    enum: BASES,
    nullable: true,
    description:
      'How unreported tokens were estimated: from the received part of the answer, from the elapsed time, as the longest possible answer, or only the prompt. Null: the upstream reported them.',
  })
  basis!: (typeof BASES)[number] | null;

  @ApiProperty({ type: [CacheWriteView], description: "Input that was written to the provider's cache." })
  cacheWrites!: CacheWriteView[];

  @ViewOrNull(ServiceTierView, 'Null: the list price.')
  serviceTier!: ServiceTierView | null;

  @ApiProperty({ type: [HostedToolCallsView], description: "Calls of the provider's own tools." })
  hostedTools!: HostedToolCallsView[];

  @ApiProperty({ description: 'The cost above the reservation, in dollars; a budget may be exceeded by it.' })
  overReservedUsd!: number;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'file',
    description:
      'What was probably reserved too low: `output`, `text`, a kind of media or a hosted tool. Null: nothing was.',
  })
  underestimated!: string | null;

  @ApiProperty({ description: 'The part of the cost for other attempts, whose answers were unusable, in dollars.' })
  otherAttemptsUsd!: number;

  @ApiProperty({ description: 'Not charged, because the upstream failed during the answer.' })
  isFree!: boolean;

  @ApiProperty({ description: 'The model has no price, so the call counts as $0. By its current configuration.' })
  isUnpriced!: boolean;

  @NumberOrNull('The list price of the tokens in dollars; null if the prices have changed since, or there are none.')
  listUsd!: number | null;

  @IntegerOrNull('The longest answer, in tokens, that a budget allowed; null if no budget shortened it.')
  outputCeiling!: number | null;

  @ApiProperty({ description: 'The prices of the model have changed since the call.' })
  hasOtherPrices!: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'The service tier that served; null: the requested one.' })
  servedTier!: string | null;

  @IntegerOrNull('The prices of prompts with more input tokens than this applied; null: the usual prices.')
  aboveInputTokens!: number | null;

  @NumberOrNull('What the call would have cost: it was answered from the cache. Null: it was not.')
  cachedUsd!: number | null;

  @Integer('Tokens of sound, which have prices of their own.')
  soundTokens!: number;
}
