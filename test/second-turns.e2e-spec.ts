import { beforeEach, describe, expect, it } from '@jest/globals';
import { AGENT_LOOPS } from './support/agent-loops.js';
import { StrictUpstream } from './support/strict/strict-upstream.js';
import { toolLoop } from './support/strict/turn.js';
import { TestGateway } from './support/test-gateway.js';

/** A model of each provider of the shipped catalog, and one of a server with Chat Completions alone. */
const MODELS: Readonly<Record<string, string>> = {
  openai: 'gpt-6.1-terra',
  anthropic: 'claude-sonnet-5-5',
  gemini: 'gemini-3.8-flash',
  bedrock: 'global.amazon.nova-2-lite-v1:0',
  mistral: 'mistral-medium-2604',
  deepseek: 'deepseek-flash',
  xai: 'grok-4.7',
  groq: 'openai/gpt-oss-120b',
  cohere: 'command-a-plus-05-2026',
  chat: 'm',
};
/** Those whose base URL ends in `/v1`, as their own SDKs take it. */
const WITH_VERSION = ['openai', 'xai', 'chat'];
const ANSWER = 'Sunny in both cities.';
const weather = (city: string) => ({ name: 'weather', input: { city } });

const upstream = await StrictUpstream.start(toolLoop([weather('Paris'), [weather('Rome'), weather('Ostia')]], ANSWER));
const providers = Object.keys(MODELS);
const protocolOf = (name: string) => (name === 'chat' ? 'openai-compatible' : name);
const gateway = await TestGateway.start({
  config: {
    'gateway.yaml': 'retry: { attempts: 1 }',
    'models.yaml': providers
      .map(
        (name) =>
          `- { id: ${name}, tier: free, displayName: M, description: D, contextLength: 200000, capabilities: [tools, reasoning], price: free, targets: [{ upstream: ${name}, model: "${MODELS[name]}"${name === 'openai' ? ', reasonsWithoutTools: always' : ''} }] }`,
      )
      .join('\n'),
    'upstreams.yaml': providers
      .map(
        (name) =>
          `${name}: { protocol: ${protocolOf(name)}, baseUrl: "${upstream.url(name)}${WITH_VERSION.includes(name) ? '/v1' : ''}", auth: none }`,
      )
      .join('\n'),
  },
});
const user = await gateway.createUser();
beforeEach(() => {
  upstream.refusals.length = 0;
});

describe.each(AGENT_LOOPS.map((loop) => [loop.api, loop] as const))('an agent of the API %s', (_, loop) => {
  describe.each(Object.keys(MODELS))('finishes its task with a model of %s', (model) => {
    it.each([
      ['JSON answers', false],
      ['streams', true],
    ])('finishes its task with a model by %s', async (_, isStreamed) => {
      const run = loop.run({ url: gateway.url, key: user.key.key, model }, isStreamed);
      const results = ['Sunny in Paris.', 'Sunny in Rome.', 'Sunny in Ostia.'];
      expect({ ...(await run), refusals: upstream.refusals }).toEqual({ results, answer: ANSWER, refusals: [] });
    });
  });
});
