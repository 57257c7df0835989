import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { ChatTest } from './support/chat-test.js';
import { json, type Script, sse } from './support/script.js';

const MODELS = [
  '- { id: gemini, tier: free, displayName: G, description: G, contextLength: 100000, price: free,',
  '    targets: [{ upstream: google, model: gemini-3.6-flash }] }',
  '- { id: gpt, tier: free, displayName: O, description: O, contextLength: 100000, price: free,',
  '    targets: [{ upstream: gpt, model: gpt-5.4-nano, reasonsWithoutTools: always }] }',
  '- { id: router, tier: free, displayName: R, description: R, contextLength: 100000, price: free,',
  '    targets: [{ upstream: router, model: anthropic/claude-opus-5 }] }',
  '- { id: open, tier: free, displayName: D, description: D, contextLength: 100000, price: free,',
  '    targets: [{ upstream: open, model: deepseek-v4 }] }',
  '- { id: claude, tier: free, displayName: C, description: C, contextLength: 100000, price: free,',
  '    targets: [{ upstream: claude, model: claude-opus-5 }] }',
  '- { id: claude-on-aws, tier: free, displayName: B, description: B, contextLength: 100000, price: free,',
  '    targets: [{ upstream: aws, model: anthropic.claude-opus-5 }] }',
];

const upstreams = (url: string) => [
  `google: { protocol: gemini, baseUrl: "${url.replace(/\/v1$/, '')}" }`,
  `gpt: { protocol: openai, baseUrl: "${url}" }`,
  `router: { protocol: openrouter, baseUrl: "${url}" }`,
  `open: { protocol: openai-compatible, baseUrl: "${url}" }`,
  `claude: { protocol: anthropic, baseUrl: "${url}" }`,
  `aws: { protocol: bedrock, baseUrl: "${url.replace(/\/v1$/, '')}" }`,
];

const chat = await ChatTest.start({
  env: {
    GOOGLE_API_KEY: 'k',
    GPT_API_KEY: 'k',
    ROUTER_API_KEY: 'k',
    OPEN_API_KEY: 'k',
    CLAUDE_API_KEY: 'k',
    AWS_BEARER_TOKEN_BEDROCK: 'k',
  },
  catalog: { models: MODELS.join('\n'), upstreams: (url) => upstreams(url).join('\n') },
});
const client = new Anthropic({ baseURL: chat.gateway.url, apiKey: chat.pro.key.key, maxRetries: 0 });

const USAGE = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
const ARGS = '{"city":"Oslo"}';

interface Provider {
  readonly model: string;
  /** An answer that thinks and calls a tool, whole and streamed. */
  readonly whole: Script;
  readonly streamed: Script;
  /** Found in the request that gives the tool's result. */
  readonly returned: object;
}

const openAiCall = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: ARGS } };

function chatAnswer(message: object): Script {
  const choice = { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: 'tool_calls' };
  return json(200, { id: 'a', object: 'chat.completion', created: 1, model: 'm', choices: [choice], usage: USAGE });
}

function chatStream(...deltas: object[]): Script {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: 'a',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  return sse([
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, 'tool_calls'),
    { ...chunk({}), choices: [], usage: USAGE },
  ]);
}

const DETAILS = [
  { type: 'reasoning.text', text: 'Hm.', signature: 'sig-router', format: 'anthropic-claude-v1', index: 0 },
];
const ITEM = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
  encrypted_content: 'secret',
};
const CALL_ITEM = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: ARGS };
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [ITEM, CALL_ITEM],
  usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14 },
};
const GEMINI = {
  candidates: [
    {
      index: 0,
      content: {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true },
          { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'sig-gemini' },
        ],
      },
      finishReason: 'STOP',
    },
  ],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 },
};

const PROVIDERS: Provider[] = [
  {
    model: 'gemini',
    whole: json(200, GEMINI),
    streamed: sse([GEMINI], { done: false }),
    returned: {
      contents: [
        { role: 'user' },
        { role: 'model', parts: [{ functionCall: { name: 'weather' }, thoughtSignature: 'sig-gemini' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'Sunny.' } } }] },
      ],
    },
  },
  {
    model: 'gpt',
    whole: json(200, RESPONSE),
    streamed: sse(
      [
        { type: 'response.created', response: { ...RESPONSE, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { ...ITEM, summary: [] } },
        { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'Hm.' },
        { type: 'response.output_item.done', output_index: 0, item: ITEM },
        { type: 'response.output_item.added', output_index: 1, item: { ...CALL_ITEM, arguments: '' } },
        { type: 'response.function_call_arguments.delta', output_index: 1, delta: ARGS },
        { type: 'response.output_item.done', output_index: 1, item: CALL_ITEM },
        { type: 'response.completed', response: RESPONSE },
      ],
      { done: false },
    ),
    returned: {
      input: [
        { role: 'user' },
        { type: 'reasoning', id: 'rs_1', encrypted_content: 'secret' },
        { type: 'function_call', call_id: 'call_1' },
        { type: 'function_call_output', call_id: 'call_1', output: 'Sunny.' },
      ],
    },
  },
  {
    model: 'router',
    whole: chatAnswer({ reasoning: 'Hm.', reasoning_details: DETAILS, tool_calls: [openAiCall] }),
    streamed: chatStream(
      { role: 'assistant', content: '', reasoning: 'Hm.', reasoning_details: DETAILS },
      { tool_calls: [{ index: 0, ...openAiCall }] },
    ),
    returned: {
      messages: [
        { role: 'user' },
        { role: 'assistant', reasoning_details: DETAILS, tool_calls: [{ id: 'call_1' }] },
        { role: 'tool' },
      ],
    },
  },
  {
    model: 'open',
    whole: chatAnswer({ reasoning_content: 'Hm.', tool_calls: [openAiCall] }),
    streamed: chatStream(
      { role: 'assistant', content: '', reasoning_content: 'Hm.' },
      { tool_calls: [{ index: 0, ...openAiCall }] },
    ),
    returned: {
      messages: [
        { role: 'user' },
        { role: 'assistant', reasoning_content: 'Hm.', tool_calls: [{ id: 'call_1' }] },
        { role: 'tool' },
      ],
    },
  },
];

const tools: Anthropic.Tool[] = [{ name: 'weather', input_schema: { type: 'object', properties: {} } }];
const hello = { role: 'user' as const, content: 'Weather?' };

describe.each(PROVIDERS)('reasoning of $model', ({ model, whole, streamed, returned }) => {
  const request = { model, max_tokens: 1000, tools, thinking: { type: 'enabled' as const, budget_tokens: 1024 } };

  it.each(['JSON', 'a stream'])('is a thinking block in %s, and is sent back in later turns', async (form) => {
    const ask = (messages: Anthropic.MessageParam[]) => {
      chat.upstream.enqueue(form === 'JSON' ? whole : streamed);
      const body = { ...request, messages };
      return form === 'JSON' ? client.messages.create(body) : client.messages.stream(body).finalMessage();
    };
    const messages: Anthropic.MessageParam[] = [hello];
    for (let turn = 1; turn <= 3; turn++) {
      const { content, stop_reason } = await ask(messages);
      expect(stop_reason).toBe('tool_use');
      const [thinking, ...others] = content;
      expect(thinking).toMatchObject({ type: 'thinking', thinking: 'Hm.', signature: expect.stringMatching(/^gw1_./) });
      const call = others.find((block) => block.type === 'tool_use');
      expect(call).toMatchObject({ type: 'tool_use', name: 'weather', input: { city: 'Oslo' } });
      if (turn === 2) expect(chat.sent()).toMatchObject(returned);
      if (turn === 3) expect(count(chat.upstream.requests.at(-1)?.body, markOf(model))).toBe(2);
      messages.push({ role: 'assistant', content });
      messages.push({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call?.type === 'tool_use' ? call.id : '', content: 'Sunny.' }],
      });
    }
  });

  it('is not shown if thinking is off', async () => {
    chat.upstream.enqueue(whole);
    const { thinking: _, ...plain } = request;
    const { content } = await client.messages.create({ ...plain, messages: [hello] });
    expect(content.map(({ type }) => type)).toEqual(['tool_use']);
  });
});

describe('thinking of Claude itself', () => {
  const THINKING = { type: 'thinking', thinking: 'Hm.', signature: 'sig-claude' };
  const USE = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } };
  const answer = json(200, {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5',
    content: [THINKING, USE],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 5 },
  });
  const request = { model: 'claude', max_tokens: 2000, tools, thinking: { type: 'adaptive' as const } };
  const result = { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: 'toolu_1' }] };

  it.each([
    ['Anthropic', 'claude', { model: 'claude-opus-5' }],
    ['Bedrock', 'claude-on-aws', { anthropic_version: 'bedrock-2023-05-31' }],
  ])('is passed on unchanged both ways, on %s', async (_provider, name, added) => {
    chat.upstream.enqueue(answer).enqueue(answer);
    const { id, model, content } = await client.messages.create({ ...request, model: name, messages: [hello] });
    expect({ id, model, content }).toEqual({ id: 'msg_1', model: name, content: [THINKING, USE] });
    const messages = [hello, { role: 'assistant' as const, content }, result];
    await client.messages.create({ ...request, model: name, messages });
    const { model: _, ...sent } = request;
    expect(chat.sent()).toEqual({ ...sent, ...added, messages });
  });

  it('is sent without the reasoning of an earlier provider', async () => {
    chat.upstream.enqueue(PROVIDERS[0]?.whole ?? []).enqueue(answer);
    const { content } = await client.messages.create({ ...request, model: 'gemini', messages: [hello] });
    const uses = content.filter((block) => block.type === 'tool_use');
    expect(content.length).toBeGreaterThan(uses.length);
    const results = uses.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id }));
    await client.messages.create({
      ...request,
      messages: [hello, { role: 'assistant', content }, { role: 'user', content: results }],
    });
    expect(chat.sent().messages).toMatchObject([hello, { role: 'assistant', content: uses }, { role: 'user' }]);
    expect(chat.upstream.requests.at(-1)?.body).not.toContain('gw1_');
  });
});

it("another provider's reasoning is left out", async () => {
  chat.upstream.enqueue(PROVIDERS[0]?.whole ?? []);
  const request = { max_tokens: 1000, tools, thinking: { type: 'adaptive' as const } };
  const { content } = await client.messages.create({ ...request, model: 'gemini', messages: [hello] });
  const call = content.find((block) => block.type === 'tool_use');
  chat.upstream.enqueue(PROVIDERS[1]?.whole ?? []);
  await client.messages.create({
    ...request,
    model: 'gpt',
    messages: [
      hello,
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call?.type === 'tool_use' ? call.id : '' }] },
    ],
  });
  const sent = chat.upstream.requests.at(-1)?.body;
  expect(sent).toContain('function_call_output');
  expect(sent).not.toMatch(/gw1_|sig-gemini/);
});

function markOf(model: string): string {
  return { gemini: 'sig-gemini', gpt: 'secret', router: 'sig-router' }[model] ?? 'reasoning_content';
}

function count(text = '', mark: string): number {
  return text.split(mark).length - 1;
}
