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

const chatPrice = z.strictObject({
  inputUsdPerMTok: usdPerMTok,
  cachedInputUsdPerMTok: usdPerMTok.optional(),
  outputUsdPerMTok: usdPerMTok,
  ...OPTION_PRICES,
});

/** Embeddings have no output tokens. */
const embeddingPrice = z.strictObject({ inputUsdPerMTok: usdPerMTok, outputUsdPerMTok: usdPerMTok.default(0) });

const FREE: z.output<typeof chatPrice> = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 };

/** `free` means that the model costs nothing; without a price its cost is unknown. */
function priceOf<Price extends z.ZodType>(price: Price) {
  return z.preprocess((value) => (value === 'free' ? FREE : value), price).optional();
}

/** The end of the year 9999, in seconds. */
const LAST_SECOND = 253_402_300_799;

const modelName = z.string().regex(/^[\w.:/-]{1,100}$/, 'must be 1 to 100 letters, digits or . _ : / -');

const NAMES = {
  id: modelName,
  /** Other names that clients can call the model by. */
  aliases: z.array(modelName).max(100).default([]),
  tier: z.enum(['free', 'pro']),
  displayName: text,
  description: text,
};

/** `outputCost`: the provider's price of output, for `strategy: cheapest`. */
function routingOf<Cost extends z.ZodType<number>>(outputCost: Cost) {
  return {
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
          cost: z.strictObject({ inputUsdPerMTok: usdPerMTok, outputUsdPerMTok: outputCost }).optional(),
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
  };
}

const chatRow = z.strictObject({
  kind: z.literal('chat'),
  ...NAMES,
  contextLength: tokens,
  maxOutputTokens: tokens.nullable().default(null),
  capabilities: z
    .array(z.enum(['image_input', 'tools', 'json_schema', 'reasoning']))
    .nullable()
    .default(null),
  price: priceOf(chatPrice),
  ...OPTION_PRICES,
  /** Whether callers can refer to files in the company's account at the provider. */
  providerFiles: z.boolean().default(false),
  ...routingOf(usdPerMTok),
});

const embeddingRow = z.strictObject({
  kind: z.literal('embedding'),
  ...NAMES,
  /** Numbers in a vector; the maximum that callers can request. */
  dimensions: z.int().min(1).max(65_536),
  /** Of one input. */
  maxInputTokens: tokens,
  /** As listed; by default the limit of one input. */
  contextLength: tokens.optional(),
  price: priceOf(embeddingPrice),
  ...routingOf(usdPerMTok.default(0)),
});

const modelRow = z.preprocess(
  (value) => (isObject(value) && value.kind === undefined ? { kind: 'chat', ...value } : value),
  z.discriminatedUnion('kind', [chatRow, embeddingRow], { error: wrongRow }),
);

const model = modelRow
  .superRefine(checkCosts)
  .transform((row) => (row.kind === 'chat' ? ofChat(row) : ofEmbedding(row)));

function ofChat({
  price,
  cacheWrite5mUsdPerMTok,
  cacheWrite1hUsdPerMTok,
  serviceTiers,
  hostedTools,
  ...row
}: z.output<typeof chatRow>) {
  const options = { cacheWrite5mUsdPerMTok, cacheWrite1hUsdPerMTok, serviceTiers, hostedTools };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return {
    ...row,
    dimensions: null,
    maxInputTokens: null,
    hasPrice: price !== undefined,
    price: { ...FREE, ...given, ...price },
  };
}

/** Embedding models write no tokens. */
function ofEmbedding({ price, ...row }: z.output<typeof embeddingRow>) {
  return {
    ...row,
    contextLength: row.contextLength ?? row.maxInputTokens,
    maxOutputTokens: 0,
    capabilities: null,
    providerFiles: false,
    hasPrice: price !== undefined,
    price: { ...FREE, ...price },
  };
}

/** The kind is the only field that the union itself checks. */
function wrongRow({ code, input }: { code?: string; input?: unknown }): string | undefined {
  return code === 'invalid_union' && isObject(input) ? 'must be one of chat, embedding' : undefined;
}

/** `cheapest` needs the cost of each target. */
function checkCosts({ strategy, targets }: z.output<typeof modelRow>, context: z.RefinementCtx): void {
  if (strategy !== 'cheapest') return;
  for (const [index, { cost }] of targets.entries()) {
    if (cost) continue;
    const message = 'is required with strategy: cheapest';
    context.addIssue({ code: 'custom', path: ['targets', index, 'cost'], message });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** config/models.yaml: the catalog. */
export const modelsFile = z.preprocess((value) => value ?? [], z.array(model));

export type ModelSettings = z.output<typeof model>;

export type TargetSettings = ModelSettings['targets'][number];
