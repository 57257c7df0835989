import { z } from 'zod';
import { guardNames } from './guard.settings.js';
import { chatPrices, embeddingPrices, OPTION_PRICES, pricePeriods, usdPerMTok } from './price.settings.js';
import { ALLOWED_USE, calendarDate, duration, longDuration } from './units.js';

/** In ascending order; a model has some of them. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

const yesOrNo = z.boolean().nullable().default(null);

/**
 * What the model behind a target accepts, as declared in models.yaml. Null: not declared; requests are sent as they are,
 * and what the provider refuses is learned.
 */
const modelTraits = z.strictObject({
  /** The reasoning efforts that it has; others become the nearest. */
  efforts: z.array(z.enum(EFFORTS)).min(1).nullable().default(null),
  /** `always`: its thinking cannot be turned off; `between_tools`: not turned off, but limited to that. */
  thinking: z.enum(['always', 'between_tools']).nullable().default(null),
  /** `tool_choice` that requires a tool, or names one. */
  forcedTools: yesOrNo,
  /** `temperature`, `top_p`, `top_k`. */
  sampling: yesOrNo,
  /** `presence_penalty`, `frequency_penalty`. */
  penalties: yesOrNo,
  /** A last message of the assistant, which the model continues. */
  prefill: yesOrNo,
  /** Structured output and strict tools. */
  strictSchemas: yesOrNo,
});

export type ModelTraits = z.output<typeof modelTraits>;

export const UNKNOWN_TRAITS: ModelTraits = modelTraits.parse({});

const text = z.string().trim().min(1, 'must not be empty');
const tokens = z.int().min(1).max(1_000_000_000);
/** The end of the year 9999, in seconds. */
const LAST_SECOND = 253_402_300_799;

export const MODEL_NAME = /^[\w.:/-]{1,100}$/;
const modelName = z.string().regex(MODEL_NAME, 'must be 1 to 100 letters, digits or . _ : / -');

const NAMES = {
  id: modelName,
  /** Other names that clients can call the model by. */
  aliases: z.array(modelName).max(100).default([]),
  tier: z.enum(['free', 'pro']),
  displayName: text,
  description: text,
  /** The day from which the provider no longer serves it, in UTC. */
  deprecated: calendarDate('start').nullable().default(null),
  /** The model to use instead. */
  replacedBy: text.nullable().default(null),
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
          traits: modelTraits.default(UNKNOWN_TRAITS),
        }),
      )
      .min(1, 'must name at least one target'),
    /** Guards of gateway.yaml, beside those for everybody. */
    guards: guardNames,
    /** Equal calls get the stored answer for this long; `shared`: also those of other users and projects. */
    cache: z
      .strictObject({ ttl: longDuration('1s', '365d'), shared: z.boolean().default(false) })
      .nullable()
      .default(null),
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
  /** The model's tokens of a text for each token that the gateway estimates. */
  tokenFactor: z.number().min(0.5).max(4).default(1),
  maxOutputTokens: tokens.nullable().default(null),
  capabilities: z
    .array(z.enum(['image_input', 'tools', 'json_schema', 'reasoning']))
    .nullable()
    .default(null),
  price: chatPrices,
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
  price: embeddingPrices,
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
  cacheWriteUsdPerMTok,
  cacheWrite5mUsdPerMTok,
  cacheWrite1hUsdPerMTok,
  serviceTiers,
  hostedTools,
  ...row
}: z.output<typeof chatRow>) {
  const options = { cacheWriteUsdPerMTok, cacheWrite5mUsdPerMTok, cacheWrite1hUsdPerMTok, serviceTiers, hostedTools };
  return {
    ...row,
    dimensions: null,
    maxInputTokens: null,
    hasPrice: price !== undefined,
    prices: pricePeriods(price, options),
  };
}

/** Embedding models write no tokens. */
function ofEmbedding({ price, ...row }: z.output<typeof embeddingRow>) {
  return {
    ...row,
    contextLength: row.contextLength ?? row.maxInputTokens,
    tokenFactor: 1,
    maxOutputTokens: 0,
    capabilities: null,
    providerFiles: false,
    hasPrice: price !== undefined,
    prices: pricePeriods(price, {}),
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
