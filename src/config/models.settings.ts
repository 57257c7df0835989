import { z } from 'zod';
import { duration } from './units.js';

const text = z.string().trim().min(1, 'must not be empty');
const tokens = z.int().min(1).max(1_000_000_000);
const usdPerMTok = z.number().min(0).max(1_000_000);

/** The end of the year 9999, in seconds. */
const LAST_SECOND = 253_402_300_799;

const model = z.strictObject({
  id: z.string().regex(/^[\w.:/-]{1,100}$/, 'must be 1 to 100 letters, digits or . _ : / -'),
  tier: z.enum(['free', 'pro']),
  displayName: text,
  description: text,
  contextLength: tokens,
  maxOutputTokens: tokens.nullable().default(null),
  capabilities: z
    .array(z.enum(['image_input', 'tools', 'json_schema', 'reasoning']))
    .nullable()
    .default(null),
  price: z
    .strictObject({
      inputUsdPerMTok: usdPerMTok,
      cachedInputUsdPerMTok: usdPerMTok.optional(),
      outputUsdPerMTok: usdPerMTok,
    })
    .default({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 }),
  ownedBy: text.optional(),
  created: z.int().min(0).max(LAST_SECOND).default(0),
  targets: z
    .array(
      z.strictObject({
        upstream: text,
        model: text,
        priority: z.int().min(1).max(1000).default(1),
        weight: z.number().positive().max(1_000_000).default(1),
        reasonsWithoutTools: z.enum(['asked', 'always']).nullable().default(null),
      }),
    )
    .min(1, 'must name at least one target'),
  fallback: z.array(text).max(20).default([]),
  hedge: z
    .strictObject({
      after: z.union([z.literal('p95'), duration('10ms', '10m')], { error: 'must be p95 or a duration such as 2s' }),
    })
    .nullable()
    .default(null),
});

/** config/models.yaml: the catalog. */
export const modelsFile = z.preprocess((value) => value ?? [], z.array(model));

export type ModelSettings = z.output<typeof model>;
