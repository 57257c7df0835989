import { describe, expect, it } from '@jest/globals';
import { completion } from './support/chat-answers.js';
import { ResponsesTest } from './support/responses-test.js';
import { json, sse } from './support/script.js';

const priced = (upstream: string, more = '') =>
  `price: { inputUsdPerMTok: 1, outputUsdPerMTok: 2 }, ${more} targets: [{ upstream: ${upstream}, model: m }]`;

const f = { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false };
const search = { type: 'web_search', external_web_access: false };
const code = { type: 'code_interpreter', container: { type: 'auto' } };

const searched = json(200, {
  ...{ id: 'resp_up', object: 'response', created_at: 1, status: 'completed', model: 'up', error: null },
  output: [
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 10, total_tokens: 20 },
});

const api = await ResponsesTest.start({
  'priced-native': priced('openai'),
  'priced-search': priced('openai', 'hostedTools: { web_search: 0.01 },'),
  'priced-tools': priced(
    'openai',
    'hostedTools: { code_interpreter: 0.03, code_interpreter_64g: 1.92, shell: 0.03, image_generation: 0.04 },',
  ),
  'priced-x': priced('openai', 'hostedTools: { x_search: 0.01, web_search: 0.005 },'),
  'priced-chat': priced('chat'),
  'priced-chat-search': priced('chat', 'hostedTools: { web_search: 0.01 },'),
  mixed: 'targets: [{ upstream: chat, model: m }, { upstream: openai, model: m, priority: 2 }]',
  closed: 'targets: [{ upstream: openai, model: m }]',
});

async function cost(response: Response): Promise<unknown> {
  const [row] = await api.gateway.database.query<Record<string, unknown>>(
    'SELECT cost_nanodollars::text AS cost, api FROM usage_calls WHERE request_id = $1',
    [response.headers.get('x-request-id')],
  );
  return row;
}

describe('web search', () => {
  it('goes to a native target whose model has a price for it, and is charged', async () => {
    api.upstream.enqueue(searched);
    const response = await api.ask({ model: 'priced-search', tools: [f, search] });
    expect(await response.json()).toMatchObject({ output: [{ type: 'web_search_call' }, { type: 'message' }] });
    expect(api.received).toMatchObject({ tools: [f, search], store: false });
    expect(response.headers.get('x-gateway-ignored-parameters')).toBeNull();
    expect(await cost(response)).toEqual({ cost: String(10 * 1000 + 10 * 2000 + 10_000_000), api: 'responses' });
  });

  it.each([
    ['priced-native', 'natively, if its model has no price for it'],
    ['priced-chat', 'if its target is translated and its model has no price for it'],
    ['priced-chat-search', 'if its target is translated'],
    ['chat', 'if its target is translated and its model has no prices'],
  ])('is left out and named: %s, %s', async (model) => {
    api.upstream.enqueue(model === 'priced-native' ? searched : completion());
    const response = await api.ask({ model, tools: [f, search] });
    expect([response.status, (await response.text()).length > 0]).toEqual([200, true]);
    expect(response.headers.get('x-gateway-ignored-parameters')).toBe('tools[1]');
    const { tools } = api.received as { tools: object[] };
    expect(tools).toHaveLength(1);
    expect(JSON.stringify(api.received)).not.toContain('web_search');
    const tokens = model.startsWith('priced-chat') ? 11 * 1000 + 3 * 2000 : 10 * 1000 + 10 * 2000;
    expect(await cost(response)).toMatchObject({ cost: String(model.startsWith('priced') ? tokens : 0) });
  });

  it('web search that a request requires is a 400 if there is none', async () => {
    const response = await api.ask({ model: 'priced-native', tools: [search], tool_choice: { type: 'web_search' } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'unsupported_parameter', param: 'tools[0]' } });
  });
});

describe('other tools of the provider', () => {
  it('go to the native target of a model without prices, regardless of the order of targets', async () => {
    api.upstream.enqueue(searched);
    const response = await api.ask({ model: 'mixed', tools: [f, code] });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    expect(api.upstream.requests.at(-1)?.path).toBe('/v1/responses');
    expect(api.received).toMatchObject({ tools: [f, code] });
  });

  it.each<[string, string, object]>([
    ['a model with prices that does not list them', 'priced-native', { tools: [f, code] }],
    ['a model with prices, of which only web search is listed', 'priced-search', { tools: [search, code] }],
    ['a target that is translated', 'chat', { tools: [f, code] }],
    [
      'any model without prices, if they reach other servers',
      'closed',
      { tools: [f, { type: 'mcp', server_label: 's', server_url: 'https://a.b' }] },
    ],
    [
      'any model without prices, if they read stores of the account',
      'closed',
      { tools: [f, { type: 'file_search', vector_store_ids: ['vs_1'] }] },
    ],
  ])('are a 400 for %s', async (_what, model, fields) => {
    const response = await api.ask({ model, ...fields });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { code: string; param: string } };
    expect(error).toMatchObject({ code: 'unsupported_parameter', param: expect.stringMatching(/^tools\[1\]/) });
  });
});

describe('a tool of the provider with an option that makes it dearer', () => {
  const large = { type: 'code_interpreter', container: { type: 'auto', memory_limit: '64g' } };
  const image = (options: object) => ({ type: 'image_generation', ...options });

  it.each<[string, object]>([
    ['code_interpreter_16g', { type: 'code_interpreter', container: { type: 'auto', memory_limit: '16g' } }],
    ['shell_64g', { type: 'shell', environment: { type: 'container_auto', memory_limit: '64g' } }],
    ['image_generation_gpt_image_9', image({ model: 'gpt-image-9' })],
    ['image_generation_max_3840x2160', image({ quality: 'max', size: '3840x2160' })],
    ['image_generation_gif_99', image({ output_format: 'gif', frame_count: 99 })],
    ['image_generation_svg_gpt_9_pro', image({ output_format: 'svg', svg: { model: 'gpt-9-pro' } })],
  ])('is a 400 without a price for %s', async (name, tool) => {
    const response = await api.ask({ model: 'priced-tools', tools: [tool] });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error).toMatchObject({ code: 'unsupported_parameter', param: 'tools[0]' });
    expect(error.message).toContain(`'${name}'`);
  });

  it.each<[string, number, object[]]>([
    ['that price', 1_920_000_000, [large]],
    ['the higher one of two prices', 1_920_000_000, [code, large, code]],
    ['the price of the tool without it', 30_000_000, [code]],
  ])('is charged %s', async (_what, price, tools) => {
    const ran = { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '1', container_id: 'c' };
    const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
    api.upstream.enqueue(json(200, { id: 'r', object: 'response', status: 'completed', output: [ran], usage }));
    const response = await api.ask({ model: 'priced-tools', tools });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    expect(await cost(response)).toMatchObject({ cost: String(10 * 1000 + 10 * 2000 + price) });
  });
});

const postSearch = (at: number) => ({
  ...{ type: 'custom_tool_call', id: `ctc_${at}`, call_id: `xs_${at}`, status: 'completed' },
  ...{ name: 'x_keyword_search', input: '{"query":"from:xai"}' },
});
const TOKENS = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };

describe('a search that is not a web search', () => {
  it.each<[what: string, stream: boolean, calls: number, output: object[], usage: object]>([
    ['that the answer shows as a custom tool', false, 2, [postSearch(1), postSearch(2)], TOKENS],
    ['that the answer shows as a custom tool', true, 2, [postSearch(1), postSearch(2)], TOKENS],
    ['that only the usage counts', false, 7, [], { ...TOKENS, server_side_tool_usage_details: { x_search_calls: 7 } }],
    ['that only the usage counts', true, 7, [], { ...TOKENS, server_side_tool_usage_details: { x_search_calls: 7 } }],
    [
      'with the larger of both counts',
      true,
      2,
      [postSearch(1), postSearch(2)],
      { ...TOKENS, server_side_tool_usage_details: { x_search_calls: 1 } },
    ],
  ])('is charged for each call %s (stream: %s)', async (_, stream, calls, output, usage) => {
    const response = {
      id: 'resp_up',
      object: 'response',
      status: 'completed',
      model: 'up',
      error: null,
      output,
      usage,
    };
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
      ...output.map((item, at) => ({ type: 'response.output_item.added', output_index: at, item })),
      ...output.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item })),
      { type: 'response.completed', response },
    ];
    api.upstream.enqueue(stream ? sse(events, { done: false }) : json(200, response));
    const answered = await api.ask({ model: 'priced-x', stream, tools: [{ type: 'x_search' }] });
    expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining('resp_up')]);
    expect(await cost(answered)).toMatchObject({ cost: String(10 * 1000 + 10 * 2000 + calls * 10_000_000) });
  });
});

it.each([false, true])('web searches that only the usage counts are charged (stream: %s)', async (stream) => {
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'a' } };
  const usage = { ...TOKENS, server_side_tool_usage_details: { web_search_calls: 9 } };
  const response = { id: 'resp_up', object: 'response', status: 'completed', output: [search], usage };
  api.upstream.enqueue(stream ? sse([{ type: 'response.completed', response }], { done: false }) : json(200, response));
  const answered = await api.ask({ model: 'priced-x', stream, tools: [{ type: 'web_search' }] });
  expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining('resp_up')]);
  expect(await cost(answered)).toMatchObject({ cost: String(10 * 1000 + 10 * 2000 + 9 * 5_000_000) });
});

it('files of the provider’s account are a 400 that names them, also natively', async () => {
  const content = [
    { type: 'input_text', text: 'Read it.' },
    { type: 'input_file', file_id: 'file-1' },
  ];
  const response = await api.ask({ model: 'closed', input: [{ role: 'user', content }] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: 'unsupported_parameter', param: 'input[0].content[1].file_id' },
  });
});
