import { z } from 'zod';
import { ALLOWED_USE } from './allowed-use.js';
import { duration } from './units.js';

const text = z.string().trim().min(1, 'must not be empty');
const tokens = z.int().min(1).max(1_000_000_000);
const usdPerMTok = z.number().min(0).max(1_000_000);
const optionName = z.string().regex(/^\w{1,64}$/, 'must be 1 to 64 letters, digits or _');

/** Prices of a call's options; in `price` or beside it. */
const OPTION_PRICES = {
  cacheWrite5mUsdPerMTok: usdPerMTok.optional(),
  cacheWrite1hUsdPerMTok: usdPerMTok.optional(),
  /** Service tier → factor of all token prices. */
  serviceTiers: z.record(optionName, z.number().positive().max(1000)).optional(),
  /** Provider tool → US dollars per call. */
  hostedTools: z.record(optionName, z.number().min(0).max(1000)).optional(),
};

const priceOfTokens = z.strictObject({
  inputUsdPerMTok: usdPerMTok,
  cachedInputUsdPerMTok: usdPerMTok.optional(),
  outputUsdPerMTok: usdPerMTok,
  ...OPTION_PRICES,
});

const FREE: z.output<typeof priceOfTokens> = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 };

/** `free` means that the model costs nothing; without a price its cost is unknown. */
const price = z.preprocess((value) => (value === 'free' ? FREE : value), priceOfTokens).optional();

/** The end of the year 9999, in seconds. */
const LAST_SECOND = 253_402_300_799;

const modelName = z.string().regex(/^[\w.:/-]{1,100}$/, 'must be 1 to 100 letters, digits or . _ : / -');

const modelRow = z.strictObject({
  id: modelName,
  /** Other names that clients can call the model by. */
  aliases: z.array(modelName).max(100).default([]),
  tier: z.enum(['free', 'pro']),
  displayName: text,
  description: text,
  contextLength: tokens,
  maxOutputTokens: tokens.nullable().default(null),
  capabilities: z
    .array(z.enum(['image_input', 'tools', 'json_schema', 'reasoning']))
    .nullable()
    .default(null),
  price,
  ...OPTION_PRICES,
  /** Whether callers can refer to files in the company's account at the provider. */
  providerFiles: z.boolean().default(false),
  ownedBy: text.optional(),
  created: z.int().min(0).max(LAST_SECOND).default(0),
  targets: z
    .array(
      z.strictObject({
        upstream: text,
        model: text,
        priority: z.int().min(1).max(1000).default(1),
        weight: z.number().positive().max(1_000_000).default(1),
        /** The provider's price, for `strategy: cheapest`; callers pay the model's price. */
        cost: z.strictObject({ inputUsdPerMTok: usdPerMTok, outputUsdPerMTok: usdPerMTok }).optional(),
        ...ALLOWED_USE,
        reasonsWithoutTools: z.enum(['asked', 'always']).nullable().default(null),
      }),
    )
    .min(1, 'must name at least one target'),
  strategy: z.enum(['priority', 'fastest', 'cheapest']).default('priority'),
  fallback: z.array(text).max(20).default([]),
  hedge: z
    .strictObject({
      after: z.union([z.literal('p95'), duration('10ms', '10m')], { error: 'must be p95 or a duration such as 2s' }),
    })
    .nullable()
    .default(null),
  affinity: z.enum(['on', 'off']).default('on'),
});

const model = modelRow
  .superRefine(checkCosts)
  .transform(({ price, cacheWrite5mUsdPerMTok, cacheWrite1hUsdPerMTok, serviceTiers, hostedTools, ...row }) => {
    const options = { cacheWrite5mUsdPerMTok, cacheWrite1hUsdPerMTok, serviceTiers, hostedTools };
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    return { ...row, hasPrice: price !== undefined, price: { ...FREE, ...given, ...price } };
  });

/** `cheapest` needs the cost of each target. */
function checkCosts({ strategy, targets }: z.output<typeof modelRow>, context: z.RefinementCtx): void {
  if (strategy !== 'cheapest') return;
  for (const [index, { cost }] of targets.entries()) {
    if (cost) continue;
    const message = 'is required with strategy: cheapest';
    context.addIssue({ code: 'custom', path: ['targets', index, 'cost'], message });
  }
}

/** config/models.yaml: the catalog. */
export const modelsFile = z.preprocess((value) => value ?? [], z.array(model));

export type ModelSettings = z.output<typeof model>;

export type TargetSettings = ModelSettings['targets'][number];
