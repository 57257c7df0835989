import { refusal } from './chat-answers.js';
import type { ReceivedRequest } from './received-request.js';
import { json, pause, type Script } from './script.js';
import { ScriptedUpstream } from './scripted-upstream.js';
import { TestGateway, type TestUser } from './test-gateway.js';

/** A row of models.yaml. */
export const embeddingRow = (id: string, targets: string, fields = '') =>
  `- { id: ${id}, kind: embedding, tier: free, displayName: ${id}, description: D, dimensions: 4, maxInputTokens: 8,
    targets: [${targets}] ${fields} }\n`;
export const at = (upstream: string, model = 'm') => `{ upstream: ${upstream}, model: ${model} }`;
const PAID = ', price: { inputUsdPerMTok: 100 }';
/** Of the model `embed`, for a token. */
export const TOKEN_NANODOLLARS = 100_000n;
const MODELS = [
  embeddingRow('embed', at('a'), `${PAID}, aliases: [text-embedding-3-small]`),
  embeddingRow('both', `{ upstream: a, model: m, priority: 1 }, { upstream: b, model: m, priority: 2 }`),
  embeddingRow('house', at('house')),
  embeddingRow('texts', at('together')),
  embeddingRow('none', at('deepseek')),
  embeddingRow('google', at('google')).replace('maxInputTokens: 8', 'maxInputTokens: 1000'),
  '- { id: chat, tier: free, displayName: C, description: D, contextLength: 1000, aliases: [talk],\n    targets: [{ upstream: a, model: c }] }\n',
].join('');

export interface SentEmbeddings {
  model: string;
  input: unknown[];
  encoding_format?: string;
  dimensions?: number;
  [field: string]: unknown;
}

export interface EmbeddingsAnswer {
  object: string;
  data: { object: string; index: number; embedding: number[] | string }[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number };
}

/** The answer to an input: its length, so that answers can be distinguished. */
export const vectorOf = (input: unknown) => [String(input).length, 0.5, -0.25, 0];

export const toBase64 = (numbers: readonly number[]) =>
  Buffer.from(Float32Array.from(numbers).buffer).toString('base64');

/** What OpenAI answers, in the requested encoding. */
function embeddings(request: ReceivedRequest): Script {
  const { input, encoding_format: encoding, model } = request.json() as SentEmbeddings;
  const data = input.map((one, index) => {
    const vector = vectorOf(one);
    return { object: 'embedding', index, embedding: encoding === 'base64' ? toBase64(vector) : vector };
  });
  const usage = { prompt_tokens: 3 * input.length, total_tokens: 3 * input.length };
  return json(200, { object: 'list', data, model, usage });
}

/** Gemini fails for batches with this text. */
export const FAILING = 'fail';

const isGoogle = ({ path }: ReceivedRequest) => path.endsWith(':batchEmbedContents');

/** What Gemini answers. Larger batches take longer. */
function batch(request: ReceivedRequest): Script {
  const { requests } = request.json() as { requests: { content: { parts: { text: string }[] } }[] };
  const texts = requests.map(({ content }) => content.parts[0]?.text);
  if (texts.includes(FAILING)) return refusal(503);
  return [pause(texts.length), json(200, { embeddings: texts.map((text) => ({ values: vectorOf(text) })) })];
}

/** A gateway with embedding models, most of them on a scripted upstream `a`, some on `b`. */
export class EmbeddingsTest {
  private constructor(
    readonly gateway: TestGateway,
    readonly user: TestUser,
    readonly a: ScriptedUpstream,
    readonly b: ScriptedUpstream,
  ) {}

  static async start(): Promise<EmbeddingsTest> {
    const a = (await ScriptedUpstream.start()).always(embeddings);
    const b = (await ScriptedUpstream.start()).always((request) =>
      isGoogle(request) ? batch(request) : embeddings(request),
    );
    const upstreams = [
      `a: { protocol: openai, baseUrl: "${a.url}/v1", auth: none }`,
      `b: { protocol: openai, baseUrl: "${b.url}/v1", auth: none }`,
      `house: { protocol: openai-compatible, baseUrl: "${a.url}/v1", auth: none }`,
      `together: { protocol: together, baseUrl: "${b.url}/v1", auth: none }`,
      `google: { protocol: gemini, baseUrl: "${b.url}", auth: none }`,
      `deepseek: { protocol: deepseek, baseUrl: "${b.url}/v1", auth: none }`,
    ];
    const gateway = await TestGateway.start({
      config: {
        'models.yaml': MODELS,
        'upstreams.yaml': upstreams.join('\n'),
        'gateway.yaml': 'retry: { attempts: 1 }',
      },
    });
    return new EmbeddingsTest(gateway, await gateway.createUser(), a, b);
  }

  post(body: object, { path = '/v1/embeddings', headers = {}, by = this.user } = {}): Promise<Response> {
    return fetch(this.gateway.url + path, {
      method: 'POST',
      headers: { ...by.headers, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** The ledger's row of an ended call. */
  async row(response: Response): Promise<Record<string, unknown> | undefined> {
    const id = response.headers.get('x-request-id');
    const rows = await this.gateway.database.query<Record<string, unknown>>(
      'SELECT * FROM usage_calls WHERE request_id = $1',
      [id],
    );
    return rows[0];
  }
}
