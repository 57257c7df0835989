import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { eventually } from './eventually.js';
import { ScriptedUpstream } from './scripted-upstream.js';
import { TestGateway, type TestUser } from './test-gateway.js';
import type { ConfigFiles } from './test-settings.js';

/** The key that the gateway has for every upstream. */
export const UPSTREAM_KEY = 'sk-upstream-4f1d9c';

const UPSTREAMS = ['openai', 'mistral', 'deepseek', 'groq', 'xai'];

export interface ChatTestOptions {
  /** config/gateway.yaml; by default nothing is retried. */
  settings?: string;
  /** The clocks of every upstream, for example `{ idle: 300ms }`. */
  clocks?: string;
  /** Beside the addresses and keys of the upstreams. */
  env?: Record<string, string>;
  /** models.yaml and, for the base URL of the upstream, upstreams.yaml in the place of the shipped ones. */
  catalog?: { models: string; upstreams: (baseUrl: string) => string };
}

/** A gateway, one scripted upstream in the place of all real ones, and a member of each plan. */
export class ChatTest {
  private constructor(
    readonly gateway: TestGateway,
    readonly upstream: ScriptedUpstream,
    readonly free: TestUser,
    readonly pro: TestUser,
  ) {}

  static async start({
    settings = 'retry: { attempts: 1 }',
    clocks = '{}',
    env: more = {},
    catalog,
  }: ChatTestOptions = {}) {
    const upstream = await ScriptedUpstream.start();
    const env = Object.fromEntries(
      UPSTREAMS.map((name) => name.toUpperCase()).flatMap((name) => [
        [`${name}_BASE_URL`, `${upstream.url}/v1`],
        [`${name}_API_KEY`, UPSTREAM_KEY],
      ]),
    );
    const files: ConfigFiles = catalog
      ? { 'models.yaml': catalog.models, 'upstreams.yaml': catalog.upstreams(`${upstream.url}/v1`) }
      : { 'upstreams.yaml': (await shippedUpstreams()).replaceAll(/ \}$/gm, `, clocks: ${clocks} }`) };
    const gateway = await TestGateway.start({
      env: { ...env, ...more },
      config: { 'gateway.yaml': settings, ...files },
    });
    const free = await gateway.createUser();
    return new ChatTest(gateway, upstream, free, await gateway.createUser({ plan: 'pro' }));
  }

  /** `POST /v1/chat/completions` by the member of the pro plan: a short question to a model of the upstream `openai`. */
  ask(fields: object = {}, init: RequestInit = {}): Promise<Response> {
    return this.gateway.complete(this.pro, { ...QUESTION, ...fields }, init);
  }

  /** The body of the last request that the upstream got. */
  sent(): Record<string, unknown> {
    return this.upstream.requests.at(-1)?.json() as Record<string, unknown>;
  }

  /** The ledger's row of a call, once it is closed; of the last call if no answer is given. */
  async row(response?: Response): Promise<Record<string, unknown>> {
    const id = response?.headers.get('x-request-id') ?? null;
    return eventually(async () => {
      const [row] = await this.gateway.database.query<Record<string, unknown>>(
        'SELECT * FROM usage_calls WHERE request_id = $1 OR $1 IS NULL ORDER BY started_at DESC LIMIT 1',
        [id],
      );
      return row?.status === 'open' ? undefined : row;
    });
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.upstream.close();
  }
}

export const QUESTION = { model: 'gpt-5.4-nano', messages: [{ role: 'user', content: 'Say hello.' }] };

function shippedUpstreams(): Promise<string> {
  return readFile(resolve(import.meta.dirname, '../../config/upstreams.yaml'), 'utf8');
}
