import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedUpstream } from '../../support/scripted-upstream.js';
import { TestGateway, type TestUser } from '../../support/test-gateway.js';

const model = (id: string, upstream: string, more = '') =>
  `- { id: ${id}, tier: free, displayName: ${id}, description: d, contextLength: 1000000, price: free, targets: [{ upstream: ${upstream}, model: ${id} }]${more} }`;

/** A model of each kind: one whose upstream has the client's API, and one whose upstream has only Chat Completions. */
const MODELS = [
  model('native-gpt', 'openai'),
  model('native-claude', 'anthropic'),
  model('translated', 'chat', ', aliases: [gpt-5.6-terra]'),
  '- { id: vectors, tier: free, kind: embedding, displayName: Vectors, description: d, dimensions: 2, maxInputTokens: 8000, price: free, targets: [{ upstream: openai, model: vectors }] }',
].join('\n');

const upstreams = (url: string) => `
openai: { protocol: openai, baseUrl: "${url}/v1" }
anthropic: { protocol: anthropic, baseUrl: "${url}" }
chat: { protocol: openai-compatible, baseUrl: "${url}/v1" }
`;

/** A gateway, a scripted upstream, and an empty folder in which a client works. */
export class ClientTest {
  private constructor(
    readonly gateway: TestGateway,
    readonly upstream: ScriptedUpstream,
    readonly user: TestUser,
    readonly folder: string,
  ) {}

  static async start(): Promise<ClientTest> {
    const upstream = await ScriptedUpstream.start();
    const gateway = await TestGateway.start({
      env: { OPENAI_API_KEY: 'sk-upstream', ANTHROPIC_API_KEY: 'sk-upstream', CHAT_API_KEY: 'sk-upstream' },
      config: {
        'gateway.yaml': 'retry: { attempts: 1 }',
        'models.yaml': MODELS,
        'upstreams.yaml': upstreams(upstream.url),
      },
    });
    const folder = await mkdtemp(join(tmpdir(), 'client-'));
    return new ClientTest(gateway, upstream, await gateway.createUser(), folder);
  }

  get key(): string {
    return this.user.key.key;
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.upstream.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
