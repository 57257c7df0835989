/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Of all tokens of a call with a longer prompt. */
  readonly above?: {
    readonly inputTokens: number;
    readonly input: number;
    readonly cached: number;
    readonly output: number;
  };
}

interface BilledModel {
  readonly upstream: string;
  /** The upstream's name for it. */
  readonly name: string;
  /** Tokens a second. */
  readonly speed: number;
  readonly price: Price;
  /** Additional fields of its entry in models.yaml. */
  readonly fields: string;
}

/** Cache writes by lifetime cost these multiples of the input. */
export const WRITES = { '5m': 1.25, '30m': 1.5, '1h': 2, '12h': 3 } as const;
export type Lifetime = keyof typeof WRITES;
/** Of the service tier `priority`. */
export const PRIORITY = 2;

const MAX_OUTPUT = 4000;

export const MODELS = {
  plain: {
    upstream: 'east',
    name: 'plain',
    speed: 500,
    price: { input: 2.5, cached: 0.25, output: 10, above: { inputTokens: 3000, input: 5, cached: 0.5, output: 15 } },
    // Upstreams here do not report sound apart, so that it costs what text does.
    fields: `audioInputUsdPerMTok: 2.5, serviceTiers: { priority: ${PRIORITY} }, targets: [{ upstream: east, model: plain }]`,
  },
  compatible: {
    upstream: 'compatible',
    name: 'plain',
    speed: 500,
    price: { input: 1, cached: 1, output: 4 },
    fields: 'targets: [{ upstream: compatible, model: plain }]',
  },
  hidden: {
    upstream: 'east',
    name: 'hidden',
    speed: 800,
    price: { input: 1.1, cached: 0.55, output: 4.4 },
    fields: 'capabilities: [tools, reasoning], targets: [{ upstream: east, model: hidden }]',
  },
  visible: {
    upstream: 'compatible',
    name: 'visible',
    speed: 800,
    price: { input: 0.6, cached: 0.6, output: 2.4 },
    fields: 'capabilities: [tools, reasoning], targets: [{ upstream: compatible, model: visible }]',
  },
  claude: {
    upstream: 'anthropic',
    name: 'claude-sonnet-4-0',
    speed: 400,
    price: { input: 3, cached: 0.3, output: 15 },
    fields: 'targets: [{ upstream: anthropic, model: claude-sonnet-4-0 }]',
  },
  whole: {
    upstream: 'whole',
    name: 'plain',
    speed: 500,
    price: { input: 1, cached: 1, output: 5 },
    fields: 'targets: [{ upstream: whole, model: plain }]',
  },
  hedged: {
    upstream: 'east',
    name: 'hedged',
    speed: 500,
    price: { input: 2, cached: 0.5, output: 8 },
    fields: `hedge: { after: 300ms },
    targets: [{ upstream: east, model: hedged }, { upstream: west, model: hedged, priority: 2 }]`,
  },
  fragile: {
    upstream: 'east',
    name: 'fragile',
    speed: 500,
    price: { input: 5, cached: 2.5, output: 20 },
    fields: 'fallback: [plain], targets: [{ upstream: east, model: fragile }]',
  },
  responses: {
    upstream: 'native',
    name: 'responses',
    speed: 500,
    price: { input: 2, cached: 2, output: 8 },
    fields: 'targets: [{ upstream: native, model: responses }]',
  },
  local: {
    upstream: 'local',
    name: 'local',
    speed: 500,
    price: { input: 1, cached: 1, output: 4 },
    fields: 'targets: [{ upstream: local, model: local }]',
  },
  slow: {
    upstream: 'slow',
    name: 'slow',
    speed: 100,
    price: { input: 1, cached: 1, output: 4 },
    fields: 'targets: [{ upstream: slow, model: slow }]',
  },
  vectors: {
    upstream: 'vectors',
    name: 'vectors',
    speed: 500,
    price: { input: 1, cached: 1, output: 0 },
    fields: 'targets: [{ upstream: vectors, model: vectors }]',
  },
} as const satisfies Readonly<Record<string, BilledModel>>;

/** The head and idle clocks of the upstream `slow`. */
export const CLOCK_MS = 10_000;

/** Of each search by the provider, in US dollars. */
export const SEARCH = 0.01;

export type ModelId = keyof typeof MODELS;
export const MODEL_IDS = Object.keys(MODELS) as ModelId[];

/** The upstream with this name bills the complete answer, even if the caller disconnects. */
export const BILLS_WHOLE = 'whole';

/** The model of an attempt at the upstream. */
export function modelOf(upstream: string, name: string): ModelId {
  const place = upstream === 'west' ? 'east' : upstream;
  const found = MODEL_IDS.find((id) => MODELS[id].upstream === place && MODELS[id].name === name);
  if (!found) throw new Error(`no model is ${name} at ${upstream}`);
  return found;
}

export function modelsYaml(): string {
  return MODEL_IDS.map((id) => {
    const { price, fields }: BilledModel = MODELS[id];
    const { above } = price;
    const tokenPrices = ({ input, cached, output }: Omit<Price, 'above'>) =>
      `inputUsdPerMTok: ${input}, cachedInputUsdPerMTok: ${cached}, outputUsdPerMTok: ${output}, cacheWriteUsdPerMTok: { ${writesOf(id, input)} }`;
    const steps = above ? `, above: [{ inputTokens: ${above.inputTokens}, ${tokenPrices(above)} }]` : '';
    if (id === 'vectors') {
      return `- { id: ${id}, tier: free, displayName: ${id}, description: For tests., kind: embedding, dimensions: 2,
    maxInputTokens: 8000, contextLength: 8000, price: { inputUsdPerMTok: ${price.input}, outputUsdPerMTok: 0 }, ${fields} }\n`;
    }
    return `- { id: ${id}, tier: free, displayName: ${id}, description: For tests., contextLength: 1000000,
    maxOutputTokens: ${MAX_OUTPUT}, price: { ${tokenPrices(price)}${steps}${id === 'claude' ? `, hostedTools: { web_search: ${SEARCH} }` : ''} },
    ${fields} }\n`;
  }).join('');
}

/** Anthropic's lifetimes have the default prices; OpenAI's models name theirs. */
function writesOf(id: ModelId, input: number): string {
  if (MODELS[id].upstream === 'anthropic') return '';
  return (['30m', '12h'] as const).map((lifetime) => `${lifetime}: ${input * WRITES[lifetime]}`).join(', ');
}

export function upstreamsYaml(url: string): string {
  const entry = (name: string, protocol: string, more = '', path = '/v1') =>
    `${name}: { protocol: ${protocol}, baseUrl: "${url}/${name}${path}", auth: none${more} }\n`;
  return [
    entry('east', 'openai'),
    entry('west', 'openai'),
    entry('compatible', 'openai-compatible'),
    entry('anthropic', 'anthropic', '', ''),
    entry('native', 'openai'),
    entry('local', 'vllm', ', responses: true'),
    entry('slow', 'openai-compatible', `, clocks: { head: ${CLOCK_MS}ms, idle: ${CLOCK_MS}ms }`),
    entry('vectors', 'cohere', '', ''),
    entry(BILLS_WHOLE, 'openai-compatible', ', whenCallerLeaves: finish'),
  ].join('');
}
