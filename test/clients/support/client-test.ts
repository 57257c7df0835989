import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from '../../support/after-file.js';
import { StrictUpstream } from '../../support/strict/strict-upstream.js';
import { toolLoop } from '../../support/strict/turn.js';
import { TestGateway, type TestUser } from '../../support/test-gateway.js';

const model = (id: string, target: string, more = '') =>
  `- { id: ${id}, tier: free, displayName: ${id}, description: d, contextLength: 1000000, price: free, targets: [{ upstream: ${target} }]${more} }`;

/** A model of each kind: one whose upstream has the client's API, and one whose upstream has only Chat Completions. */
const MODELS = [
  model('native-gpt', 'openai, model: gpt-6.1-sol, reasonsWithoutTools: always'),
  model('native-claude', 'anthropic, model: claude-sonnet-5-5'),
  model('translated', 'chat, model: any', ', aliases: [gpt-5.6-terra]'),
  '- { id: vectors, tier: free, kind: embedding, displayName: Vectors, description: d, dimensions: 2, maxInputTokens: 8000, price: free, targets: [{ upstream: openai, model: vectors }] }',
].join('\n');

const upstreams = (upstream: StrictUpstream) => `
openai: { protocol: openai, baseUrl: "${upstream.url('openai')}/v1" }
anthropic: { protocol: anthropic, baseUrl: "${upstream.url('anthropic')}" }
chat: { protocol: openai-compatible, baseUrl: "${upstream.url('chat')}/v1" }
`;

/** A gateway, upstreams that refuse what the providers refuse, and an empty folder in which a client works. */
export class ClientTest {
  private constructor(
    readonly gateway: TestGateway,
    readonly upstream: StrictUpstream,
    readonly user: TestUser,
    readonly folder: string,
  ) {
    afterFile(() => rm(folder, { recursive: true, force: true }));
  }

  /** `stores`: the gateway stores responses. */
  static async start({ stores = false } = {}): Promise<ClientTest> {
    const upstream = await StrictUpstream.start(toolLoop([], ''));
    const gateway = await TestGateway.start({
      env: {
        ...{ OPENAI_API_KEY: 'sk-upstream', ANTHROPIC_API_KEY: 'sk-upstream', CHAT_API_KEY: 'sk-upstream' },
        ...(stores && { CONTENT_LOG_KEY: randomBytes(32).toString('base64') }),
      },
      config: {
        'gateway.yaml': `retry: { attempts: 1 }\nresponses: { remember: ${stores ? '1d' : 'off'} }`,
        'models.yaml': MODELS,
        'upstreams.yaml': upstreams(upstream),
      },
    });
    const folder = await mkdtemp(join(tmpdir(), 'client-'));
    return new ClientTest(gateway, upstream, await gateway.createUser(), folder);
  }

  get key(): string {
    return this.user.key.key;
  }
}
