import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ModelTraits } from '../../src/config/models.settings.js';
import { objectOf } from '../../src/upstreams/contract/json.js';
import { StrictUpstream } from './strict/strict-upstream.js';
import { toolLoop } from './strict/turn.js';
import { TestGateway, type TestUser } from './test-gateway.js';

interface CatalogRow {
  readonly id: string;
  readonly targets: readonly { readonly traits: Partial<ModelTraits> }[];
}

const CATALOG: readonly CatalogRow[] = parse(readFileSync('config/models.yaml', 'utf8'));
const traitsOf = (id: string) => CATALOG.find((row) => row.id === id)?.targets[0]?.traits ?? {};

interface ServedModel {
  readonly upstream: 'anthropic' | 'bedrock';
  readonly model: string;
  readonly traits: Partial<ModelTraits>;
}

/** Claude 5.5 as the catalog declares it, and without traits, so that refusals must be learned; and an older Claude. */
const MODELS: Readonly<Record<string, ServedModel>> = {
  opus: { upstream: 'anthropic', model: 'claude-opus-5-5', traits: traitsOf('claude-opus-5.5') },
  sonnet: { upstream: 'anthropic', model: 'claude-sonnet-5-5', traits: traitsOf('claude-sonnet-5.5') },
  haiku: { upstream: 'anthropic', model: 'claude-haiku-5-5', traits: traitsOf('claude-haiku-5.5') },
  'opus-on-bedrock': {
    upstream: 'bedrock',
    model: 'global.anthropic.claude-opus-5-5-v1:0',
    traits: traitsOf('claude-opus-5.5'),
  },
  undeclared: { upstream: 'anthropic', model: 'claude-opus-5-5@undeclared', traits: {} },
  'undeclared-on-bedrock': { upstream: 'bedrock', model: 'us.anthropic.claude-opus-5-5-v1:0', traits: {} },
  'few-efforts': { upstream: 'anthropic', model: 'claude-opus-4-7', traits: {} },
  'with-sampling': { upstream: 'anthropic', model: 'claude-haiku-4-5', traits: {} },
};
export const CLAUDE_5_5 = Object.keys(MODELS).filter((name) => name !== 'with-sampling' && name !== 'few-efforts');

export const ANSWER = 'Sunny.';
export const QUESTION = 'How is the weather in Paris?';
export const MESSAGES = [{ role: 'user', content: QUESTION }];
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
export const TOOL_NAMES = ['weather', 'news'];
export const CHAT_TOOLS = TOOL_NAMES.map((name) => ({ type: 'function', function: { name, parameters: SCHEMA } }));
export const RESPONSES_TOOLS = TOOL_NAMES.map((name) => ({ type: 'function', name, parameters: SCHEMA }));
export const MESSAGES_TOOLS = TOOL_NAMES.map((name) => ({ name, input_schema: SCHEMA }));

/** A gateway with Claude behind it, which refuses what Claude refuses. With tools, it asks for the weather in Paris. */
export class ClaudeTest {
  private constructor(
    readonly upstream: StrictUpstream,
    private readonly gateway: TestGateway,
    private readonly user: TestUser,
  ) {}

  static async start(): Promise<ClaudeTest> {
    const upstream = await StrictUpstream.start(toolLoop([{ name: 'weather', input: { city: 'Paris' } }], ANSWER));
    const gateway = await TestGateway.start({
      config: {
        'gateway.yaml': 'retry: { attempts: 1 }\nstream: { commitAfter: 50ms, heartbeat: 100ms }',
        'models.yaml': Object.entries(MODELS)
          .map(
            ([id, { upstream: name, model, traits }]) =>
              `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 200000, capabilities: [tools, json_schema, reasoning], price: free, targets: [{ upstream: ${name}, model: "${model}", traits: ${JSON.stringify(traits)} }] }`,
          )
          .join('\n'),
        'upstreams.yaml': ['anthropic', 'bedrock']
          .map((name) => `${name}: { protocol: ${name}, baseUrl: "${upstream.url(name)}", auth: none }`)
          .join('\n'),
      },
    });
    return new ClaudeTest(upstream, gateway, await gateway.createUser());
  }

  chat(fields: object) {
    return this.post('/v1/chat/completions', { messages: MESSAGES, ...fields });
  }

  responses(fields: object) {
    return this.post('/v1/responses', { input: QUESTION, ...fields });
  }

  messages(fields: object, headers: Readonly<Record<string, string>> = {}) {
    const body = { messages: MESSAGES, max_tokens: 4000, ...fields };
    return this.post('/v1/messages', body, { 'anthropic-version': '2026-10-21', ...headers });
  }

  /** The status, the answer and the ignored parameters of a call, with what the upstream received last. */
  private async post(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const reply = await fetch(`${this.gateway.url}${path}`, {
      method: 'POST',
      headers: { ...this.user.headers, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    const last = this.upstream.server.requests.at(-1);
    return {
      status: reply.status,
      text,
      ignored: (reply.headers.get('x-gateway-ignored-parameters') ?? '').split(', ').filter(Boolean),
      sent: objectOf(last?.json()),
      sentHeaders: last?.headers ?? {},
    };
  }
}
