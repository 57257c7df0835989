import { RE2JS } from 're2js';
import { z } from 'zod';
import { duration } from './units.js';

/** The kinds of text that guards know without further settings. */
export const DETECTOR_NAMES = [
  'credentials',
  'email',
  'iban',
  'ip_address',
  'payment_card',
  'phone',
  'us_ssn',
] as const;

export type DetectorName = (typeof DETECTOR_NAMES)[number];

const name = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be lower-case letters, digits, _ or -, a letter first');
const url = z.string().refine(isWebUrl, 'must be a URL that starts with http:// or https://');
const pattern = z.string().min(1).max(4000).refine(isRe2, 'must be a valid RE2 expression that matches no empty text');
export const wordList = z.array(z.string().trim().min(1).max(200)).min(1).max(50_000);
const words = z.union([wordList, z.strictObject({ file: z.string().min(1) })], {
  error: 'must be a list of words, or { file: a file with a word on each line }',
});

const KINDS = ['webhook', 'presidio', 'moderation'] as const;

const guard = z
  .strictObject({
    detect: z.array(z.enum(DETECTOR_NAMES)).default([]),
    patterns: z.record(name, pattern).default({}),
    words: z.record(name, words).default({}),
    webhook: z
      .strictObject({
        url,
        timeout: duration('10ms', '1m').prefault('2s'),
        whenAway: z.enum(['refuse', 'pass']).default('refuse'),
        window: z.int().min(100).max(100_000).default(2000),
        hold: z.literal('whole').nullable().default(null),
      })
      .optional(),
    presidio: z
      .strictObject({
        url,
        language: z
          .string()
          .regex(/^[a-z]{2}(?:-[A-Z]{2})?$/, 'must be a language code such as en')
          .default('en'),
        entities: z
          .array(z.string().regex(/^[A-Z][A-Z0-9_]*$/))
          .min(1)
          .nullable()
          .default(null),
        threshold: z.number().min(0).max(1).default(0.5),
        timeout: duration('10ms', '1m').prefault('2s'),
        window: z.int().min(100).max(100_000).default(2000),
      })
      .optional(),
    moderation: z
      .strictObject({
        upstream: z.string().min(1),
        model: z.string().min(1).default('omni-moderation-latest'),
        above: z.number().min(0).max(1).default(0.5),
        timeout: duration('10ms', '1m').prefault('5s'),
        window: z.int().min(100).max(100_000).default(2000),
      })
      .optional(),
    on: z
      .array(z.enum(['request', 'answer']))
      .min(1)
      .default(['request']),
    do: z.enum(['block', 'mask', 'report']).default('block'),
    restore: z.boolean().default(true),
    media: z.enum(['ignore', 'refuse']).default('ignore'),
  })
  .superRefine(checkGuard);

export const guardsSection = z.record(name, guard).default({});
export const guardNames = z.array(name).default([]);

type GuardFile = z.output<typeof guard>;

/** A guard with the words of its files and its secret. */
export interface GuardSettings extends Omit<GuardFile, 'words'> {
  readonly name: string;
  readonly words: Readonly<Record<string, readonly string[]>>;
  /** Signs the requests to its webhook; null: they are not signed. */
  readonly secret: string | null;
  /** Where it is defined. */
  readonly line: number | null;
}

/** A guard of one kind: what it detects itself, or one service. */
function checkGuard(value: z.output<z.ZodObject> & Partial<GuardFile>, context: z.RefinementCtx): void {
  const isLocal = [value.detect, Object.keys(value.patterns ?? {}), Object.keys(value.words ?? {})].some(
    (list) => list?.length,
  );
  const kinds = KINDS.filter((kind) => value[kind] !== undefined);
  const fault = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', path, message });
  if (kinds.length + Number(isLocal) !== 1) {
    fault('must have one of: what it looks for (detect, patterns, words), webhook, presidio, moderation');
  }
  if (value.moderation && value.do === 'mask') fault('cannot be mask: moderation says nothing of the place', 'do');
}

function isRe2(source: string): boolean {
  try {
    return !RE2JS.compile(source).testExact('');
  } catch {
    return false;
  }
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
