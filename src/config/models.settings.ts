import { z } from 'zod';

const text = z.string().trim().min(1, 'must not be empty');
const usdPerMTok = z.number().min(0).max(1_000_000);

const model = z.strictObject({
  id: z.string().regex(/^[\w.:/-]{1,100}$/, 'must be 1 to 100 letters, digits or . _ : / -'),
  tier: z.enum(['free', 'pro']),
  displayName: text,
  description: text,
  contextLength: z.int().min(1),
  maxOutputTokens: z.int().min(1).nullable().default(null),
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
  created: z.int().min(0).default(0),
  targets: z
    .array(
      z.strictObject({
        upstream: text,
        model: text,
        priority: z.int().min(1).default(1),
        weight: z.number().positive().default(1),
        reasonsWithoutTools: z.enum(['asked', 'always']).nullable().default(null),
      }),
    )
    .min(1, 'must name at least one target'),
});

/** config/models.yaml: the catalog. */
export const modelsFile = z.preprocess((value) => value ?? [], z.array(model));

export type ModelSettings = z.output<typeof model>;
