import { z } from 'zod';
import { problemOf } from './schema-faults.js';
import { calendarDate } from './units.js';

export const usdPerMTok = z.number().min(0).max(1_000_000);
const tokens = z.int().min(1).max(1_000_000_000);
const optionName = z.string().regex(/^\w{1,64}$/, 'must be 1 to 64 letters, digits or _');

/** How long providers keep cached input, shortest first. */
export const CACHE_LIFETIMES = ['5m', '30m', '1h', '12h'] as const;
export type CacheLifetime = (typeof CACHE_LIFETIMES)[number];

const cacheWrites = z.strictObject({
  '5m': usdPerMTok.optional(),
  '30m': usdPerMTok.optional(),
  '1h': usdPerMTok.optional(),
  '12h': usdPerMTok.optional(),
});

/** Older names of two lifetimes of `cacheWriteUsdPerMTok`. */
const SHORT_FORMS = { cacheWrite5mUsdPerMTok: '5m', cacheWrite1hUsdPerMTok: '1h' } as const;

const CACHE_WRITE_PRICES = {
  cacheWriteUsdPerMTok: cacheWrites.optional(),
  cacheWrite5mUsdPerMTok: usdPerMTok.optional(),
  cacheWrite1hUsdPerMTok: usdPerMTok.optional(),
};

/** Prices of a call's options; in `price` or beside it. */
export const OPTION_PRICES = {
  ...CACHE_WRITE_PRICES,
  /** Tokens of sound in prompts and in answers. */
  audioInputUsdPerMTok: usdPerMTok.optional(),
  audioOutputUsdPerMTok: usdPerMTok.optional(),
  /** Service tier → factor of all token prices. */
  serviceTiers: z.record(optionName, z.number().positive().max(1000)).optional(),
  /** Provider tool → US dollars per call. */
  hostedTools: z.record(optionName, z.number().min(0).max(1000)).optional(),
};

type OptionPrices = z.output<z.ZodObject<typeof OPTION_PRICES>>;

const TOKEN_PRICES = {
  inputUsdPerMTok: usdPerMTok,
  cachedInputUsdPerMTok: usdPerMTok.optional(),
  outputUsdPerMTok: usdPerMTok,
};

/** For calls whose prompt is longer than `inputTokens`: the prices of all their tokens. */
const step = z
  .strictObject({ inputTokens: tokens, ...TOKEN_PRICES, ...CACHE_WRITE_PRICES })
  .superRefine(checkCacheWrites)
  .transform(withCacheWrites);

const chatPrice = z
  .strictObject({
    ...TOKEN_PRICES,
    ...OPTION_PRICES,
    above: z.array(step).max(10).superRefine(checkSteps).optional(),
    /** The day on which this price ends, in UTC. */
    until: calendarDate('end').optional(),
  })
  .superRefine(checkCacheWrites);

/** Embeddings have no output tokens. */
const embeddingPrice = z.strictObject({
  inputUsdPerMTok: usdPerMTok,
  outputUsdPerMTok: usdPerMTok.default(0),
  until: calendarDate('end').optional(),
});

type ChatPrice = z.output<typeof chatPrice>;

const FREE: ChatPrice = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 };

/** `free` means that the model costs nothing; without a price its cost is unknown. A list has the prices of several periods. */
export const chatPrices = pricesOf(chatPrice);
export const embeddingPrices = pricesOf(embeddingPrice);

/** Faults are those of the form that was written, which a union would hide. */
function pricesOf<Price extends z.ZodType<{ until?: number | undefined }>>(price: Price) {
  const periods = z.array(price).min(1, 'must have at least one price').max(20).superRefine(checkPeriods);
  const read = z.unknown().transform((value, context): z.output<Price> | z.output<Price>[] => {
    const schema = Array.isArray(value) ? periods : price;
    const result = schema.safeParse(value === 'free' ? FREE : value, { error: problemOf });
    if (result.success) return result.data;
    for (const issue of result.error.issues) context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
    return z.NEVER;
  });
  return read.optional();
}

/** The numbers of one price; cache writes by lifetime only. */
export type PriceSettings = Omit<ChatPrice, 'until' | keyof typeof SHORT_FORMS>;

/** A price, and when it ends (ms since 1970); null: never. */
export interface PricePeriod {
  readonly until: number | null;
  readonly price: PriceSettings;
}

/** In the order of time. */
export type PricePeriods = readonly [PricePeriod, ...PricePeriod[]];

/** `options`: the prices that stand beside `price`. */
export function pricePeriods(
  written: ChatPrice | readonly ChatPrice[] | undefined,
  options: OptionPrices,
): PricePeriods {
  const beside = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const toPeriod = ({ until, ...price }: ChatPrice): PricePeriod => ({
    until: until ?? null,
    price: withCacheWrites({ ...FREE, ...beside, ...price }),
  });
  const [first = FREE, ...later]: readonly ChatPrice[] = [written ?? FREE].flat();
  return [toPeriod(first), ...later.map(toPeriod)];
}

type WithShortForms = Partial<Record<keyof typeof SHORT_FORMS, number | undefined>> & {
  readonly cacheWriteUsdPerMTok?: z.output<typeof cacheWrites> | undefined;
};

function withCacheWrites<Price extends WithShortForms>({
  cacheWrite5mUsdPerMTok: fiveMinutes,
  cacheWrite1hUsdPerMTok: anHour,
  ...price
}: Price): Omit<Price, keyof typeof SHORT_FORMS> {
  if (fiveMinutes === undefined && anHour === undefined) return price;
  const writes = {
    ...(fiveMinutes !== undefined && { '5m': fiveMinutes }),
    ...(anHour !== undefined && { '1h': anHour }),
  };
  return { ...price, cacheWriteUsdPerMTok: { ...writes, ...price.cacheWriteUsdPerMTok } };
}

function checkCacheWrites(price: WithShortForms, context: z.RefinementCtx): void {
  for (const [name, lifetime] of Object.entries(SHORT_FORMS)) {
    if (price[name as keyof typeof SHORT_FORMS] === undefined) continue;
    if (price.cacheWriteUsdPerMTok?.[lifetime] === undefined) continue;
    context.addIssue({ code: 'custom', path: [name], message: `is also in cacheWriteUsdPerMTok as ${lifetime}` });
  }
}

function checkSteps(steps: readonly { inputTokens: number }[], context: z.RefinementCtx): void {
  const starts = steps.map(({ inputTokens }) => inputTokens);
  for (const [index, start] of starts.entries()) {
    if (starts.indexOf(start) === index) continue;
    context.addIssue({ code: 'custom', path: [index, 'inputTokens'], message: 'is the start of an earlier step' });
  }
}

/** Each period but the last ends, later than the one before it. */
function checkPeriods(prices: readonly { until?: number | undefined }[], context: z.RefinementCtx): void {
  for (const [index, { until }] of prices.entries()) {
    const before = prices[index - 1]?.until;
    const path = [index, 'until'];
    if (until === undefined && index < prices.length - 1) {
      context.addIssue({ code: 'custom', path, message: 'is required, as another price follows' });
    } else if (until !== undefined && before !== undefined && until <= before) {
      context.addIssue({ code: 'custom', path, message: 'must be later than the one before' });
    }
  }
}
