import type { NativeApiName } from '../../src/upstreams/contract/native.body.js';
import { eventually } from './eventually.js';
import type { Exchange } from './exchanges.js';
import { eventsIn } from './native-checks.js';
import { fixtureOf } from './native-upstream.js';
import type { ReceivedRequest } from './received-request.js';
import { chunk, head, lastChunk, type Script } from './script.js';
import { ScriptedUpstream } from './scripted-upstream.js';
import { TestGateway, type TestUser } from './test-gateway.js';

/** A native API of some upstreams, with a model that such an upstream serves. */
export interface ApiCase {
  readonly api: NativeApiName;
  readonly path: string;
  /** Served natively. */
  readonly model: string;
  readonly upstreamModel: string;
  readonly upstreamPath: string;
  readonly headers: Record<string, string>;
  readonly question: Record<string, unknown>;
  readonly limit: string;
  readonly lastEvent: string;
  /** The protocol whose fixtures are answers of the API. */
  readonly fixtures: string;
  /** The text of a complete translated answer. */
  textOf(answer: unknown): unknown;
}

const RESPONSES: ApiCase = {
  api: 'responses',
  path: '/v1/responses',
  model: 'gpt',
  upstreamModel: 'gpt-upstream',
  upstreamPath: '/v1/responses',
  headers: {},
  question: { model: 'gpt', input: 'Hello.', max_output_tokens: 500 },
  limit: 'max_output_tokens',
  lastEvent: 'response.completed',
  fixtures: 'openai-responses',
  textOf: (answer) => (answer as { output: { content: { text: string }[] }[] }).output[0]?.content[0]?.text,
};

const MESSAGES: ApiCase = {
  api: 'messages',
  path: '/v1/messages',
  model: 'claude',
  upstreamModel: 'claude-upstream',
  upstreamPath: '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'one-2026-01-01,two-2026-02-02' },
  question: { model: 'claude', messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 500 },
  limit: 'max_tokens',
  lastEvent: 'message_stop',
  fixtures: 'anthropic',
  textOf: (answer) => (answer as { content: { text: string }[] }).content[0]?.text,
};

export const API_CASES: readonly (readonly [NativeApiName, ApiCase])[] = [
  ['responses', RESPONSES],
  ['messages', MESSAGES],
];

const model = (id: string, targets: string, more = '') =>
  `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 200000, maxOutputTokens: 64000, targets: [${targets}]${more} }`;

const NATIVE = {
  gpt: '{ upstream: openai, model: gpt-upstream',
  claude: '{ upstream: anthropic, model: claude-upstream',
};
const OTHER = '{ upstream: other, model: other-upstream';
const PRICE = ', price: { inputUsdPerMTok: 1, cachedInputUsdPerMTok: 0.1, outputUsdPerMTok: 10 }';

/** `gpt` and `claude`: native; `…-first`: native, then translated; `…-last`: the other way round; `…-priced`. */
const MODELS = Object.entries(NATIVE).flatMap(([id, target]) => [
  model(id, `${target} }`),
  model(`${id}-first`, `${target}, priority: 1 }, ${OTHER}, priority: 2 }`),
  model(`${id}-last`, `${OTHER}, priority: 1 }, ${target}, priority: 2 }`),
  model(`${id}-priced`, `${target} }`, PRICE),
]);

export interface NativeTestOptions {
  readonly settings?: string;
  readonly clocks?: string;
}

/** A gateway whose upstreams are one scripted server: OpenAI's, Anthropic's, and one that has only chat completions. */
export class NativeTest {
  private constructor(
    readonly gateway: TestGateway,
    readonly upstream: ScriptedUpstream,
    readonly user: TestUser,
  ) {}

  static async start({ settings = 'retry: { attempts: 1 }', clocks = '{}' }: NativeTestOptions = {}) {
    const upstream = await ScriptedUpstream.start();
    const entry = (name: string) => `${name}: { protocol: ${name}, baseUrl: "${upstream.url}/v1", clocks: ${clocks} }`;
    const gateway = await TestGateway.start({
      env: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', OTHER_API_KEY: 'k' },
      config: {
        'gateway.yaml': settings,
        'models.yaml': [...MODELS, model('chat-only', `${OTHER} }`)].join('\n'),
        'upstreams.yaml': `${entry('openai')}\n${entry('anthropic')}\n${entry('openai-compatible').replace('openai-compatible:', 'other:')}`,
      },
    });
    return new NativeTest(gateway, upstream, await gateway.createUser());
  }

  ask({ path, headers, question }: ApiCase, fields: object = {}, init: RequestInit = {}): Promise<Response> {
    return this.post(path, JSON.stringify({ ...question, ...fields }), {
      ...init,
      headers: { ...headers, ...init.headers },
    });
  }

  post(path: string, body: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.user.headers, 'content-type': 'application/json', ...init.headers };
    return fetch(`${this.gateway.url}${path}`, { method: 'POST', ...init, headers, body });
  }

  get sent(): ReceivedRequest {
    const request = this.upstream.requests.at(-1);
    if (!request) throw new Error('nothing was sent');
    return request;
  }

  /** The ledger's row of a call, once closed. */
  row(response: Response): Promise<Record<string, unknown>> {
    const id = response.headers.get('x-request-id');
    return eventually(async () => {
      const rows = await this.gateway.database.query<Record<string, unknown>>(
        "SELECT * FROM usage_calls WHERE request_id = $1 AND status <> 'open'",
        [id],
      );
      return rows[0];
    });
  }
}

/** Answers of the API: texts, tool calls and reasoning. */
export function answersOf({ fixtures }: ApiCase, streamed: boolean): Exchange[] {
  return ['text', 'tools', 'reasoning'].map((scenario) => fixtureOf(fixtures, scenario, streamed));
}

export function eventOf(type: string, fields: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** The events of the API's streamed text, one string each. */
export function textEvents(one: ApiCase): string[] {
  const [text] = answersOf(one, true);
  return eventsIn(text?.stream ?? '').map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`);
}

/** A stream that continues with `steps` after these events. */
export function streamOf(events: readonly string[], steps: Script = lastChunk()): Script {
  const open = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
  return [open, ...events.map((event) => chunk(event)), steps];
}
