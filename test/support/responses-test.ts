import OpenAI from 'openai';
import { modelsFile } from './routing-test.js';
import { ScriptedUpstream } from './scripted-upstream.js';
import { TestGateway, type TestGatewayOptions, type TestUser } from './test-gateway.js';

const PROTOCOLS = {
  chat: 'openai-compatible',
  claude: 'anthropic',
  gemini: 'gemini',
  bedrock: 'bedrock',
  openai: 'openai',
};

const MODELS: Readonly<Record<keyof typeof PROTOCOLS, string>> = {
  chat: 'm',
  claude: 'claude-sonnet-5',
  gemini: 'gemini-3.1-pro-preview',
  bedrock: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  openai: 'gpt-5.6-sol',
};

interface ResponsesTestOptions extends Pick<TestGatewayOptions, 'env' | 'database'> {
  readonly settings?: string;
  /** A user of the shared database; else a new one. */
  readonly user?: TestUser;
}

/** A gateway with one model for each of some protocols, named as in `PROTOCOLS`, all on one scripted upstream. */
export class ResponsesTest {
  private constructor(
    readonly gateway: TestGateway,
    readonly upstream: ScriptedUpstream,
    readonly user: TestUser,
    readonly client: OpenAI,
  ) {}

  /** `models`: further models. `settings`: further sections of gateway.yaml. */
  static async start(
    models: Readonly<Record<string, string>> = {},
    { settings = '', env = {}, database, user: known }: ResponsesTestOptions = {},
  ): Promise<ResponsesTest> {
    const upstream = await ScriptedUpstream.start();
    const targets = Object.entries(MODELS).map(([name, model]) => [
      name,
      `targets: [{ upstream: ${name}, model: "${model}" }]`,
    ]);
    const gateway = await TestGateway.start({
      env: { BEDROCK_API_KEY: 'k', ...env },
      ...(database && { database }),
      config: {
        'gateway.yaml': `retry: { attempts: 1 }\nstream: { commitAfter: 100ms, heartbeat: 50ms }\n${settings}`,
        'models.yaml': modelsFile({ ...Object.fromEntries(targets), ...models }).replaceAll(
          'contextLength: 1000',
          'contextLength: 200000',
        ),
        'upstreams.yaml': Object.entries(PROTOCOLS)
          .map(([name, protocol]) => `${name}: { protocol: ${protocol}, baseUrl: "${upstream.url}/v1", auth: none }\n`)
          .join(''),
      },
    });
    const user = known ?? (await gateway.createUser());
    const client = new OpenAI({ apiKey: user.key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    return new ResponsesTest(gateway, upstream, user, client);
  }

  /** `POST /v1/responses` without an SDK. */
  ask(fields: object, init: RequestInit = {}): Promise<Response> {
    const body = JSON.stringify({ model: 'chat', input: 'Say hello.', ...fields });
    const headers = { ...this.user.headers, 'content-type': 'application/json', ...init.headers };
    return fetch(`${this.gateway.url}/v1/responses`, { method: 'POST', ...init, body, headers });
  }

  /** The last request of the upstream. */
  get received(): unknown {
    return this.upstream.requests.at(-1)?.json();
  }
}
