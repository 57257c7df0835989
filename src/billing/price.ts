import { hash } from 'node:crypto';
import {
  CACHE_LIFETIMES,
  type CacheLifetime,
  type PricePeriod,
  type PricePeriods,
  type PriceSettings,
} from '../config/price.settings.js';

/** Nano-dollars per million tokens. */
export interface TokenPrices {
  readonly input: bigint;
  readonly cachedInput: bigint;
  /** For input that is written to the provider's cache, by the time that it is kept. */
  readonly cacheWrites: Readonly<Record<CacheLifetime, bigint>>;
  readonly output: bigint;
}

/** The prices of all tokens of a call whose prompt has more than `inputTokens` tokens. */
export interface PriceStep extends TokenPrices {
  readonly inputTokens: number;
}

/** Prices of a model's tokens and options. */
export interface Price extends TokenPrices {
  /** For long prompts, shortest first. */
  readonly above: readonly PriceStep[];
  /** Lifetimes of cache writes with a stated price, shortest first. */
  readonly cacheLifetimes: readonly CacheLifetime[];
  /** Service tier → factor of the price. */
  readonly serviceTiers: ReadonlyMap<string, number>;
  /** Provider tool → nano-dollars per call. */
  readonly hostedTools: ReadonlyMap<string, bigint>;
  /** Null: sound has no price. */
  readonly audioInput: bigint | null;
  readonly audioOutput: bigint | null;
  /** Whether anything has a price. */
  readonly isPaid: boolean;
  /** Identifies these numbers: a row names the price that it was charged by. */
  readonly version: string;
}

/** The charged tokens. All except `output` are parts of `input`. */
export interface PricedTokens {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrites?: CacheWrites | undefined;
  readonly output: number;
}

/** Tokens written to a provider's cache, by lifetime. */
export type CacheWrites = Readonly<Partial<Record<CacheLifetime, number>>>;

/** Requested options besides tokens. */
export interface PricedOptions {
  readonly serviceTier?: string | null;
  /** Tool → calls. */
  readonly hostedTools?: Readonly<Record<string, number>>;
  /** Tokens of sound: parts of the input, apart from cached ones, and of the output. */
  readonly audio?: { readonly input: number; readonly output: number };
}

const MILLION = 1_000_000n;
/** The default price of cache writes, in percent of the input price. */
const WRITE_PERCENT: Readonly<Record<CacheLifetime, bigint>> = { '5m': 125n, '30m': 125n, '1h': 200n, '12h': 200n };

export function toPrice(settings: PriceSettings): Price {
  const { above = [], cacheWriteUsdPerMTok, serviceTiers, hostedTools } = settings;
  const { audioInputUsdPerMTok, audioOutputUsdPerMTok } = settings;
  const audio = [audioInputUsdPerMTok, audioOutputUsdPerMTok].some((one) => one !== undefined);
  const prices = toTokenPrices(settings);
  const steps = above.map((step) => ({ ...toTokenPrices(step), inputTokens: step.inputTokens }));
  const options = [
    cacheWriteUsdPerMTok,
    above.length > 0 ? above : undefined,
    serviceTiers,
    hostedTools,
    // Other versions stay as they were.
    ...(audio ? [audioInputUsdPerMTok, audioOutputUsdPerMTok] : []),
  ];
  const stated = options.some((option) => option !== undefined) ? `/${JSON.stringify(options)}` : '';
  const { input, cachedInput, output } = prices;
  return {
    ...prices,
    above: steps.sort((one, other) => one.inputTokens - other.inputTokens),
    cacheLifetimes: CACHE_LIFETIMES.filter((lifetime) => cacheWriteUsdPerMTok?.[lifetime] !== undefined),
    serviceTiers: new Map(Object.entries(serviceTiers ?? {})),
    hostedTools: new Map(Object.entries(hostedTools ?? {}).map(([tool, usd]) => [tool, toNanodollars(usd)])),
    audioInput: audioInputUsdPerMTok === undefined ? null : toNanodollars(audioInputUsdPerMTok),
    audioOutput: audioOutputUsdPerMTok === undefined ? null : toNanodollars(audioOutputUsdPerMTok),
    isPaid: [
      ...[prices, ...steps].flatMap((one) => [one.input, one.output, one.cachedInput]),
      ...[...Object.values(hostedTools ?? {}), audioInputUsdPerMTok ?? 0, audioOutputUsdPerMTok ?? 0].map(
        toNanodollars,
      ),
    ].some((one) => one > 0n),
    version: hash('sha256', `${input}/${cachedInput}/${output}${stated}`).slice(0, 12),
  };
}

function toTokenPrices(settings: Omit<PriceSettings, 'above'>): TokenPrices {
  const { inputUsdPerMTok, cachedInputUsdPerMTok, outputUsdPerMTok, cacheWriteUsdPerMTok: writes } = settings;
  const input = toNanodollars(inputUsdPerMTok);
  const writePrice = (lifetime: CacheLifetime) =>
    toNanodollarsOr(writes?.[lifetime], (input * WRITE_PERCENT[lifetime]) / 100n);
  return {
    input,
    cachedInput: toNanodollarsOr(cachedInputUsdPerMTok, input),
    cacheWrites: { '5m': writePrice('5m'), '30m': writePrice('30m'), '1h': writePrice('1h'), '12h': writePrice('12h') },
    output: toNanodollars(outputUsdPerMTok),
  };
}

/** The period that applies at an instant (ms); the last one after its end. */
export function periodAt([first, ...later]: PricePeriods, now: number): PricePeriod {
  return [first, ...later].find(({ until }) => until === null || now < until) ?? later.at(-1) ?? first;
}

const NO_OPTIONS: PricedOptions = {};

/** Nano-dollars, rounded half up, once. */
export function costOf(tokens: PricedTokens, price: Price, options: PricedOptions = NO_OPTIONS): bigint {
  const { input, cached, cacheWrites, output } = tokens;
  const prices = pricesFor(price, input);
  let fresh = input - cached;
  let total = BigInt(Math.min(cached, input)) * prices.cachedInput + BigInt(output) * prices.output;
  if (cacheWrites !== undefined) {
    for (const lifetime of CACHE_LIFETIMES) {
      const written = cacheWrites[lifetime] ?? 0;
      fresh -= written;
      if (written > 0) total += BigInt(written) * prices.cacheWrites[lifetime];
    }
  }
  total += BigInt(Math.max(fresh, 0)) * prices.input;
  const { serviceTier, hostedTools, audio } = options;
  if (audio) {
    const { audioInput, audioOutput } = price;
    total += BigInt(Math.min(audio.input, Math.max(fresh, 0))) * ((audioInput ?? prices.input) - prices.input);
    total += BigInt(Math.min(audio.output, output)) * ((audioOutput ?? prices.output) - prices.output);
  }
  const factor = factorOf(price, serviceTier);
  const cost = factor === 1 ? rounded(total, MILLION) : rounded(total * toMillionths(factor), MILLION * MILLION);
  return hostedTools ? cost + costOfTools(hostedTools, price) : cost;
}

/** The prices for a prompt of this length. */
export function pricesFor(price: Price, inputTokens: number): TokenPrices {
  if (price.above.length === 0) return price;
  return price.above.findLast((step) => inputTokens > step.inputTokens) ?? price;
}

/** A tier's price in proportion to the standard one; 1 for a tier without a factor. */
export function factorOf(price: Price, serviceTier: string | null | undefined): number {
  return (serviceTier && price.serviceTiers.get(serviceTier)) || 1;
}

function costOfTools(calls: Readonly<Record<string, number>>, { hostedTools }: Price): bigint {
  return Object.entries(calls).reduce((sum, [tool, count]) => sum + BigInt(count) * (hostedTools.get(tool) ?? 0n), 0n);
}

/** Rounds half up. */
function rounded(amount: bigint, unit: bigint): bigint {
  return (amount + unit / 2n) / unit;
}

function toMillionths(factor: number): bigint {
  return BigInt(Math.round(factor * 1e6));
}

function toNanodollarsOr(usd: number | undefined, other: bigint): bigint {
  return usd === undefined ? other : toNanodollars(usd);
}

/** Exact up to nine decimal places of a dollar. */
function toNanodollars(usd: number): bigint {
  return BigInt(Math.round(usd * 1e9));
}
