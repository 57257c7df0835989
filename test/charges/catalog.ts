/** US dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
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

/** Cache writes for five minutes and for an hour cost these multiples of the input. */
export const WRITE_5M = 1.25;
export const WRITE_1H = 2;
/** Of the service tier `priority`. */
export const PRIORITY = 2;

const MAX_OUTPUT = 4000;

export const MODELS = {
  plain: {
    upstream: 'east',
    name: 'plain',
    speed: 500,
    price: { input: 2.5, cached: 0.25, output: 10 },
    fields: `serviceTiers: { priority: ${PRIORITY} }, targets: [{ upstream: east, model: plain }]`,
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
} as const satisfies Readonly<Record<string, BilledModel>>;

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
    const { price, fields } = MODELS[id];
    return `- { id: ${id}, tier: free, displayName: ${id}, description: For tests., contextLength: 1000000,
    maxOutputTokens: ${MAX_OUTPUT}, price: { inputUsdPerMTok: ${price.input}, cachedInputUsdPerMTok: ${price.cached}, outputUsdPerMTok: ${price.output} },
    ${fields} }\n`;
  }).join('');
}

export function upstreamsYaml(url: string): string {
  const entry = (name: string, protocol: string, more = '', path = '/v1') =>
    `${name}: { protocol: ${protocol}, baseUrl: "${url}/${name}${path}", auth: none${more} }\n`;
  return [
    entry('east', 'openai'),
    entry('west', 'openai'),
    entry('compatible', 'openai-compatible'),
    entry('anthropic', 'anthropic', '', ''),
    entry(BILLS_WHOLE, 'openai-compatible', ', whenCallerLeaves: finish'),
  ].join('');
}
