import { z } from 'zod';
import { duration } from './units.js';

/** The upstream protocols that a configuration may name; one without an adapter is merely not live. */
const PROTOCOLS = [
  'openai',
  'anthropic',
  'gemini',
  'bedrock',
  'cohere',
  'azure',
  'mistral',
  'deepseek',
  'xai',
  'groq',
  'openrouter',
  'together',
  'ollama',
  'vllm',
  'perplexity',
  'openai-compatible',
] as const;

const clocks = z.preprocess(
  (value) => value ?? {},
  z.strictObject({
    connect: duration.prefault('5s'),
    head: duration.prefault('5m'),
    firstEvent: duration.prefault('2m'),
    idle: duration.prefault('60s'),
    total: duration.prefault('15m'),
  }),
);

/** Time limits of one upstream, in ms. */
export type Clocks = z.output<typeof clocks>;

const upstream = z.strictObject({
  protocol: z.enum(PROTOCOLS, { error: 'names no known protocol' }),
  baseUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  auth: z.enum(['none', 'google']).optional(),
  clocks,
  apiVersion: z.string().optional(),
  project: z.string().optional(),
  location: z.string().optional(),
});

/** config/upstreams.yaml: a name → how that upstream is reached. */
export const upstreamsFile = z.preprocess(
  (value) => value ?? {},
  z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a name in lower case with digits and dashes'), upstream),
);

/** One upstream with what the environment adds to it. */
export interface UpstreamSettings extends z.output<typeof upstream> {
  readonly name: string;
  /** The secret of `NAME_API_KEY`, or null. */
  readonly apiKey: string | null;
}
