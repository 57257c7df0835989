import { hash } from 'node:crypto';
import type { ModelSettings } from '../config/models.settings.js';

/**
 * Prices of a model's tokens and options. Amounts are nano-dollars per million tokens, and per call for hosted tools.
 */
export interface Price {
  readonly input: bigint;
  readonly cachedInput: bigint;
  /** For input that is written to the provider's cache, for five minutes and for an hour. */
  readonly cacheWrite5m: bigint;
  readonly cacheWrite1h: bigint;
  readonly output: bigint;
  /** Service tier → factor of the price. */
  readonly serviceTiers: ReadonlyMap<string, number>;
  /** Provider tool → nano-dollars per call. */
  readonly hostedTools: ReadonlyMap<string, bigint>;
  /** Whether anything has a price. */
  readonly isPaid: boolean;
  /** Identifies these numbers: a row names the price that it was charged by. */
  readonly version: string;
}

/** The charged tokens. All except `output` are parts of `input`. */
export interface PricedTokens {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite5m?: number;
  readonly cacheWrite1h?: number;
  readonly output: number;
}

/** Requested options besides tokens. */
export interface PricedOptions {
  readonly serviceTier?: string | null;
  /** Tool → calls. */
  readonly hostedTools?: Readonly<Record<string, number>>;
}

const MILLION = 1_000_000n;
/** The default price of cache writes, in percent of the input price. */
const WRITE_5M_PERCENT = 125n;
const WRITE_1H_PERCENT = 200n;

export function toPrice(settings: ModelSettings['price']): Price {
  const { inputUsdPerMTok, cachedInputUsdPerMTok, outputUsdPerMTok, serviceTiers, hostedTools } = settings;
  const input = toNanodollars(inputUsdPerMTok);
  const cachedInput = cachedInputUsdPerMTok === undefined ? input : toNanodollars(cachedInputUsdPerMTok);
  const output = toNanodollars(outputUsdPerMTok);
  const options = [settings.cacheWrite5mUsdPerMTok, settings.cacheWrite1hUsdPerMTok, serviceTiers, hostedTools];
  const stated = options.some((option) => option !== undefined) ? `/${JSON.stringify(options)}` : '';
  return {
    input,
    cachedInput,
    cacheWrite5m: toNanodollarsOr(settings.cacheWrite5mUsdPerMTok, (input * WRITE_5M_PERCENT) / 100n),
    cacheWrite1h: toNanodollarsOr(settings.cacheWrite1hUsdPerMTok, (input * WRITE_1H_PERCENT) / 100n),
    output,
    serviceTiers: new Map(Object.entries(serviceTiers ?? {})),
    hostedTools: new Map(Object.entries(hostedTools ?? {}).map(([tool, usd]) => [tool, toNanodollars(usd)])),
    isPaid: input > 0n || output > 0n || cachedInput > 0n,
    version: hash('sha256', `${input}/${cachedInput}/${output}${stated}`).slice(0, 12),
  };
}

const NO_OPTIONS: PricedOptions = {};

/** Nano-dollars, rounded half up, once. */
export function costOf(tokens: PricedTokens, price: Price, options: PricedOptions = NO_OPTIONS): bigint {
  const { input, cached, cacheWrite5m: written5m = 0, cacheWrite1h: written1h = 0, output } = tokens;
  const fresh = BigInt(Math.max(input - cached - written5m - written1h, 0));
  let total = fresh * price.input + BigInt(Math.min(cached, input)) * price.cachedInput + BigInt(output) * price.output;
  if (written5m > 0) total += BigInt(written5m) * price.cacheWrite5m;
  if (written1h > 0) total += BigInt(written1h) * price.cacheWrite1h;
  const { serviceTier, hostedTools } = options;
  const factor = factorOf(price, serviceTier);
  const cost = factor === 1 ? rounded(total, MILLION) : rounded(total * toMillionths(factor), MILLION * MILLION);
  return hostedTools ? cost + costOfTools(hostedTools, price) : cost;
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
