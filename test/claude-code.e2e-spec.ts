import { describe, expect, it } from '@jest/globals';
import { completion, stream } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { messageOfEvents } from './support/messages-events.js';

const EPHEMERAL = { type: 'ephemeral' };
const BETAS = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'prompt-caching-scope-2026-01-05',
  'advanced-tool-use-2025-11-20',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'structured-outputs-2025-12-15',
].join(',');

const tool = (number: number) => ({
  name: `Tool${number}`,
  description: `Does work of kind ${number}. ${'It reads, writes and reports. '.repeat(80)}`,
  input_schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { path: { type: 'string', description: 'An absolute path.' }, limit: { type: 'number' } },
    required: ['path'],
    additionalProperties: false,
  },
});

/** Like Claude Code 2.1 sends it, with our own texts. */
const request = {
  model: 'plain',
  max_tokens: 64_000,
  stream: true,
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  metadata: { user_id: `user_${'0123456789abcdef'.repeat(4)}_account__session_${'f'.repeat(36)}` },
  system: [
    { type: 'text', text: 'You work in a terminal.' },
    { type: 'text', text: 'You edit files.', cache_control: EPHEMERAL },
  ],
  tools: [
    ...Array.from({ length: 23 }, (_, number) => tool(number)),
    { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
  ],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Rename the file.', cache_control: EPHEMERAL }] },
    { role: 'system', content: 'The plan changed.' },
    { role: 'user', content: 'Go on.' },
  ],
};

const model = (id: string, upstream: string, capabilities: string) =>
  `- { id: ${id}, tier: free, displayName: M, description: D, contextLength: 131072, maxOutputTokens: 32768,
    capabilities: ${capabilities}, targets: [{ upstream: ${upstream}, model: m }] }`;

const chat = await ChatTest.start({
  catalog: {
    models: `${model('plain', 'groq', '[tools]')}\n${model('thinking', 'deepseek', '[tools, reasoning]')}`,
    upstreams: (url) =>
      ['groq', 'deepseek'].map((name) => `${name}: { protocol: ${name}, baseUrl: "${url}" }`).join('\n'),
  },
});

function post(body: object): Promise<Response> {
  return fetch(`${chat.gateway.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': chat.pro.key.key,
      'anthropic-version': '2023-06-01',
      'anthropic-beta': BETAS,
      'user-agent': 'claude-cli/2.1.0 (external, cli)',
      'x-app': 'cli',
    },
    body: JSON.stringify(body),
  });
}

describe('Claude Code', () => {
  it('first checks whether a server answers', async () => {
    const response = await fetch(`${chat.gateway.url}/`, { method: 'HEAD' });
    expect(response.status).toBeLessThan(400);
  });

  it('gets a stream from a model that needs a translation and does not reason, with the ignored parameters named', async () => {
    chat.upstream.enqueue(stream(['Done', '.']));
    const response = await post(request);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-gateway-ignored-parameters')?.split(', ')).toEqual(
      expect.arrayContaining(['context_management', 'cache_control', 'tools[23]', 'output_config.effort']),
    );
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
    const { content, stop_reason } = messageOfEvents(await response.text());
    expect({ content, stop_reason }).toEqual({ content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' });
    const { messages, tools } = chat.sent() as { messages: { role: string }[]; tools: unknown[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'system', 'user']);
    expect(tools).toHaveLength(23);
    expect(chat.sent().max_completion_tokens ?? chat.sent().max_tokens).toBeLessThan(64_000);
    expect(JSON.stringify(chat.sent())).not.toContain('cache_control');
  });

  it('gets the reasoning of a model at the requested effort', async () => {
    chat.upstream.enqueue(completion('Done.'));
    const response = await post({ ...request, model: 'thinking', stream: false });
    expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: 'Done.' }] });
    expect(response.headers.get('x-gateway-ignored-parameters')).not.toContain('effort');
  });

  it('gets an error for a model that does not exist', async () => {
    const response = await post({ ...request, model: 'claude-none' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  });
});
