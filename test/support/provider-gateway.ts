import OpenAI from 'openai';
import { readExchange } from './exchanges.js';
import { json, type Script, sse } from './script.js';
import { ScriptedUpstream } from './scripted-upstream.js';
import { TestGateway, type TestUser } from './test-gateway.js';

/** A gateway with one upstream, and OpenAI's SDK with a key; neither retries. */
export class ProviderGateway {
  private constructor(
    readonly upstream: ScriptedUpstream,
    readonly gateway: TestGateway,
    readonly user: TestUser,
    readonly client: OpenAI,
  ) {}

  /** `name`: the upstream's name in capitals, as in its variables. */
  static async start(name: string, apiKey: string): Promise<ProviderGateway> {
    const upstream = await ScriptedUpstream.start();
    const gateway = await TestGateway.start({
      env: { [`${name}_BASE_URL`]: upstream.url, [`${name}_API_KEY`]: apiKey },
      config: { 'gateway.yaml': 'retry: { attempts: 1 }' },
    });
    const user = await gateway.createUser({ plan: 'pro' });
    const client = new OpenAI({ apiKey: user.key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    return new ProviderGateway(upstream, gateway, user, client);
  }
}

export function answerOf(folder: string, file: string): Script {
  const { status, headers, body, stream } = readExchange(folder, file);
  return stream === null ? json(status, body, headers) : sse([stream], { done: false });
}

export const IMAGE_QUESTION: OpenAI.ChatCompletionMessageParam[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  },
];
