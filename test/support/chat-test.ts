import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { eventually } from './eventually.js';
import { ScriptedUpstream } from './scripted-upstream.js';
import { TestGateway, type TestUser } from './test-gateway.js';
import type { ConfigFiles } from './test-settings.js';

export const UPSTREAM_KEY = 'sk-upstream-4f1d9c';

const UPSTREAMS = ['openai', 'mistral', 'deepseek', 'groq', 'xai'];

export interface ChatTestOptions {
  /** config/gateway.yaml; by default without retries. */
  settings?: string;
  /** The clocks of every upstream, for example `{ idle: 300ms }`. */
  clocks?: string;
  /** In addition to the addresses and keys of the upstreams. */
  env?: Record<string, string>;
  /** Replaces models.yaml and upstreams.yaml, which gets the upstream's base URL. */
  catalog?: { models: string; upstreams: (baseUrl: string) => string };
}

/** A gateway with one scripted upstream for all real ones, and a member of each plan. */
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

  /** `POST /v1/chat/completions` by the pro member, with a short question to a model of `openai`. */
  ask(fields: object = {}, init: RequestInit = {}): Promise<Response> {
    return this.gateway.complete(this.pro, { ...QUESTION, ...fields }, init);
  }

  /** The body of the last upstream request. */
  sent(): Record<string, unknown> {
    return this.upstream.requests.at(-1)?.json() as Record<string, unknown>;
  }

  /** The ledger's row of a call, once closed; by default of the last call. */
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
}

export const QUESTION = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Say hello.' }] };

function shippedUpstreams(): Promise<string> {
  return readFile(resolve(import.meta.dirname, '../../config/upstreams.yaml'), 'utf8');
}
