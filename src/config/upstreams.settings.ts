import { z } from 'zod';
import { duration } from './units.js';
import type { UpstreamCredential } from './upstream-credential.js';

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
  'openai-responses',
  'openai-compatible',
] as const;

export const NOT_BARE = 'must hold no user, password, query or fragment: a key is given as NAME_API_KEY';

const clock = duration('50ms', '24h');

const clocks = z.preprocess(
  (value) => value ?? {},
  z.strictObject({
    connect: clock.prefault('5s'),
    head: clock.prefault('5m'),
    firstEvent: clock.prefault('2m'),
    idle: clock.prefault('60s'),
    total: clock.prefault('15m'),
  }),
);

/** Time limits of one upstream, in ms. */
export type Clocks = z.output<typeof clocks>;

const upstream = z
  .strictObject({
    protocol: z.enum(PROTOCOLS),
    baseUrl: z.url({ protocol: /^https?$/, error: wrongUrl }).refine(isBareUrl, NOT_BARE),
    auth: z.enum(['none', 'google']).optional(),
    clocks,
    apiVersion: z.string().optional(),
    project: z.string().optional(),
    location: z.string().optional(),
  })
  .superRefine(needsPlace);

/** config/upstreams.yaml: a name → how that upstream is reached. */
export const upstreamsFile = z.preprocess(
  (value) => value ?? {},
  z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a name in lower case with digits and dashes'), upstream),
);

export type UpstreamsFile = z.output<typeof upstreamsFile>;

/** One upstream with what the environment adds to it. */
export interface UpstreamSettings extends z.output<typeof upstream> {
  readonly name: string;
  /** The secret of `NAME_API_KEY`, or null. */
  readonly apiKey: string | null;
  /** What the protocol takes in place of an API key, or null. */
  readonly credential: UpstreamCredential | null;
}

/** What else an address may hold is never sent, and would stand where no secret belongs. */
export function isBareUrl(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return username + password + search + hash === '';
}

/** A missing one is told in the usual words. */
function wrongUrl({ input }: { input?: unknown }): string | undefined {
  return input === undefined ? undefined : 'must be an http or https URL';
}

/** Who speaks to Vertex AI calls the models of a project at a place. */
function needsPlace(upstream: Record<string, unknown>, context: z.RefinementCtx): void {
  if (upstream.auth !== 'google' || upstream.protocol !== 'gemini') return;
  for (const key of ['project', 'location']) {
    if (!upstream[key]) context.addIssue({ code: 'custom', path: [key], message: 'is required with auth: google' });
  }
}
