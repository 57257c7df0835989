import { createHash } from 'node:crypto';
import type { ModelSettings } from '../config/models.settings.js';

/** Nano-dollars per million tokens. */
export interface Price {
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly output: bigint;
  /** Names these three numbers, so that a row tells by which price it was made. */
  readonly version: string;
}

/** What is paid for: `cached` is a part of `input`. */
interface PricedTokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

const MILLION = 1_000_000n;

export function toPrice({ inputUsdPerMTok, cachedInputUsdPerMTok, outputUsdPerMTok }: ModelSettings['price']): Price {
  const input = toNanodollars(inputUsdPerMTok);
  const cachedInput = cachedInputUsdPerMTok === undefined ? input : toNanodollars(cachedInputUsdPerMTok);
  const output = toNanodollars(outputUsdPerMTok);
  const version = createHash('sha256').update(`${input}/${cachedInput}/${output}`).digest('hex').slice(0, 12);
  return { input, cachedInput, output, version };
}

/** Nano-dollars, rounded half up, once. `input` includes the cached tokens. */
export function costOf({ input, cached, output }: PricedTokens, price: Price): bigint {
  const fresh = BigInt(Math.max(input - cached, 0));
  const total =
    fresh * price.input + BigInt(Math.min(cached, input)) * price.cachedInput + BigInt(output) * price.output;
  return (total + MILLION / 2n) / MILLION;
}

/** Exact for up to nine decimal places of a dollar. */
function toNanodollars(usd: number): bigint {
  return BigInt(Math.round(usd * 1e9));
}
