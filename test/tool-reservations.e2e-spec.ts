import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { UnderestimatesService } from '../src/limits/underestimates.service.js';
import { ChatTest } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { eventOf, streamOf } from './support/native-test.js';
import { hang, json } from './support/script.js';
import { TestGateway } from './support/test-gateway.js';

const DOLLAR = 1_000_000_000n;
const MODELS = `
- { id: nova, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, targets: [{ upstream: bedrock, model: amazon.nova-lite-v1:0 }] }
- { id: claude, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { web_search: 0.01 } },
    targets: [{ upstream: anthropic, model: m }] }
- { id: gpt, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { web_search: 0.01, image_generation: 0.04 } },
    targets: [{ upstream: openai, model: gpt-6 }] }
- { id: sonar, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { web_search: 0.005 } },
    targets: [{ upstream: perplexity, model: sonar-deep-research }] }
- { id: sonar-sizes, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { web_search: 0.005, web_search_high: 0.012 } },
    targets: [{ upstream: perplexity, model: sonar-pro }] }
- { id: finder, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { web_search: 0.025 } },
    targets: [{ upstream: openai, model: gpt-6-search-preview }] }
- { id: routed, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { web_search: 0.025 } },
    targets: [{ upstream: openrouter, model: perplexity/sonar }] }
- { id: grok, tier: free, displayName: M, description: D, contextLength: 500000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { attachment_search: 0.01 } }, targets: [{ upstream: xai, model: grok }] }
- { id: grok-unlisted, tier: free, displayName: M, description: D, contextLength: 500000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, targets: [{ upstream: xai, model: grok }] }`;

const env = {
  OPENAI_API_KEY: 'k',
  PERPLEXITY_API_KEY: 'k',
  OPENROUTER_API_KEY: 'k',
  ANTHROPIC_API_KEY: 'k',
  AWS_BEARER_TOKEN_BEDROCK: 'k',
  BEDROCK_API_KEY: 'k',
  XAI_API_KEY: 'k',
};
const upstreams = (baseUrl: string) => `
anthropic: { protocol: anthropic, baseUrl: "${baseUrl}" }
openai: { protocol: openai, baseUrl: "${baseUrl}" }
openrouter: { protocol: openrouter, baseUrl: "${baseUrl}" }
perplexity: { protocol: perplexity, baseUrl: "${baseUrl}" }
bedrock: { protocol: bedrock, baseUrl: "${baseUrl}" }
xai: { protocol: xai, baseUrl: "${baseUrl}" }`;

const chat = await ChatTest.start({ env, catalog: { models: MODELS, upstreams } });
const config = { 'models.yaml': MODELS, 'upstreams.yaml': upstreams(`${chat.upstream.url}/v1`) };
const replica = await TestGateway.start({ env, config, database: chat.gateway.database });

/** An answer after this many searches. */
function searched(searches: number, inputTokens: number) {
  const usage = { input_tokens: inputTokens, output_tokens: 10, server_tool_use: { web_search_requests: searches } };
  const content = [{ type: 'text', text: 'Found.' }];
  return json(200, {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: 'end_turn',
    usage,
  });
}

async function callerWith(budget: bigint) {
  const user = await chat.gateway.createUser();
  await chat.gateway.services.get(UserLimitsService).set(user.id, { budgetTotalNanodollars: budget }, GATEWAY);
  const ask = (max_uses?: number, { url }: TestGateway = chat.gateway) => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search', ...(max_uses && { max_uses }) }];
    return fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { ...user.headers, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model: 'claude', max_tokens: 100, tools, messages: [{ role: 'user', content: 'Look.' }] }),
    });
  };
  return Object.assign(ask, { userId: user.id });
}

describe('schemas with references', () => {
  const long = { type: 'string', description: 'x'.repeat(10_000) };
  const properties = Object.fromEntries(['a', 'b', 'c'].map((name) => [name, { $ref: '#/$defs/long' }]));
  const parameters = { type: 'object', properties, $defs: { long } };
  const request = {
    messages: [{ role: 'user', content: 'Look.' }],
    tools: [{ type: 'function', function: { name: 'put', parameters } }],
    max_tokens: 10,
  };

  it.each(['nova', 'claude'])('reserve what is sent to %s', async (model) => {
    const user = await chat.gateway.createUser({ limits: { budgetTotalNanodollars: DOLLAR } });
    chat.upstream.always(() => json(503, {}));
    await chat.gateway.complete(user, { ...request, model });
    const [row] = await chat.gateway.database.query<{ reserved: string }>(
      'SELECT reserved_nanodollars AS reserved FROM usage_calls WHERE key_id = $1',
      [user.key.id],
    );
    const sent = JSON.stringify(chat.sent()).length;
    expect(sent).toBeGreaterThan(model === 'nova' ? 30_000 : 10_000);
    // A token costs 1000 nano-dollars.
    expect(Number(row?.reserved) / 1000).toBeGreaterThan(sent * 0.9);
    expect(Number(row?.reserved) / 1000).toBeLessThan(sent * 1.5);
  });
});

it.each(['one process', 'another replica'])(
  'an estimate that was too low raises what the next calls of the caller reserve in %s',
  async (where) => {
    const ask = await callerWith(DOLLAR);
    chat.upstream.always(() => searched(1, 300_000));
    expect((await ask(1)).status).toBe(200);
    const gateway = where === 'one process' ? chat.gateway : replica;
    const factor = () => gateway.services.get(UnderestimatesService).factorsOf(ask.userId, [{ id: 'claude' }]).prompt;
    await eventually(async () => factor() > 1);
    expect((await chat.row()).charge).toMatchObject({ underestimated: 'web_search' });
    const next = await Promise.all(Array.from({ length: 20 }, async () => (await ask(1, gateway)).status));
    expect(next.filter((status) => status === 200).length).toBeLessThanOrEqual(2);
  },
);

const SEARCHES = 10;
const each = (write: (at: number) => string[]) => Array.from({ length: SEARCHES }, (_, at) => write(at)).flat();
const message = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null },
  usage: { input_tokens: 10, output_tokens: 1 },
};
const block = (index: number, content_block: object) => [
  eventOf('content_block_start', { index, content_block }),
  eventOf('content_block_stop', { index }),
];
const MESSAGES_SEARCHES = [
  eventOf('message_start', { message }),
  ...each((at) => [
    ...block(2 * at, { type: 'server_tool_use', id: `s${at}`, name: 'web_search', input: {} }),
    ...block(2 * at + 1, { type: 'web_search_tool_result', tool_use_id: `s${at}`, content: [] }),
  ]),
  eventOf('content_block_start', { index: 30, content_block: { type: 'text', text: 'Found.' } }),
];
const searchCall = (at: number, status: string) => ({ type: 'web_search_call', id: `w${at}`, status });
const RESPONSES_SEARCHES = [
  eventOf('response.created', { response: { id: 'r', status: 'in_progress', output: [] } }),
  ...each((at) => [
    eventOf('response.output_item.added', { output_index: at, item: searchCall(at, 'in_progress') }),
    eventOf('response.output_item.done', { output_index: at, item: searchCall(at, 'completed') }),
  ]),
  eventOf('response.output_text.delta', { item_id: 'm', output_index: 10, content_index: 0, delta: 'Found.' }),
];

const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
const QUESTION = { messages: [{ role: 'user', content: 'Look.' }], max_tokens: 100 };
const API_SEARCHES: readonly [api: string, path: string, body: object, events: string[]][] = [
  [
    'messages',
    '/v1/messages',
    { ...QUESTION, model: 'claude', tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    MESSAGES_SEARCHES,
  ],
  [
    'chat completions',
    '/v1/chat/completions',
    { ...QUESTION, model: 'claude', web_search_options: {} },
    MESSAGES_SEARCHES,
  ],
  [
    'responses',
    '/v1/responses',
    { model: 'gpt', input: 'Look.', max_output_tokens: 100, tools: [{ type: 'web_search' }] },
    RESPONSES_SEARCHES,
  ],
];

/** A request by a caller with a budget. */
async function post(path: string, body: object, init: RequestInit = {}): Promise<Response> {
  const user = await chat.gateway.createUser({ limits: { budgetTotalNanodollars: 100n * DOLLAR } });
  const headers = { ...user.headers, ...HEADERS };
  return fetch(`${chat.gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body), ...init });
}

async function costOf(response: Response) {
  const { charge, ...row } = await chat.row(response);
  const [cost, reserved] = [Number(row.cost_nanodollars), Number(row.reserved_nanodollars)];
  return { cost, reserved, charge, status: row.status, input: Number(row.input_tokens), output: row.output_tokens };
}

/** The row of a stream whose caller left at its text. */
async function leftAtText(path: string, body: object, events: string[]) {
  chat.upstream.always(() => streamOf(events, hang()));
  const response = await post(path, { ...body, stream: true });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; !text.includes('Found.'); ) text += (await reader?.read())?.value;
  await reader?.cancel();
  return costOf(response);
}

describe("the calls of a provider's tools", () => {
  it.each(API_SEARCHES)('are charged with their results to a caller who leaves: %s', async (_, path, body, events) => {
    const { cost, reserved, input, ...row } = await leftAtText(path, body, events);
    expect(row).toMatchObject({ status: 'aborted', charge: { hostedTools: { web_search: SEARCHES } } });
    expect(input).toBeGreaterThanOrEqual(SEARCHES * 10_000);
    expect(cost).toBeGreaterThanOrEqual(SEARCHES * 20_000_000);
    expect(cost).toBeLessThanOrEqual(reserved);
  });

  it.each(API_SEARCHES.slice(0, 2))(
    'are charged to a caller who leaves with the prompt that is read again after each, or after the code of all: %s',
    async (_, path, body, [, ...searches]) => {
      const usage = { input_tokens: 200_000, cache_creation_input_tokens: 50_000, output_tokens: 1 };
      const start = eventOf('message_start', { message: { ...message, usage } });
      const { cost, input, status } = await leftAtText(path, body, [start, ...searches]);
      const [prompts, results] = [250_000 * (SEARCHES + 1), (5000 * SEARCHES * (SEARCHES + 1)) / 2];
      expect({ status, input }).toEqual({ status: 'aborted', input: prompts + results });
      expect(cost).toBeGreaterThanOrEqual(prompts * 1000);
      const byCode = '"web_search_tool_result","caller":{"type":"code_execution_20260120"}';
      const inCode = searches.map((event) => event.replace('"web_search_tool_result"', byCode));
      inCode.splice(-1, 0, ...block(29, { type: 'code_execution_tool_result', tool_use_id: 'c', content: {} }));
      expect((await leftAtText(path, body, [start, ...inCode])).input).toBeLessThanOrEqual(500_000 + SEARCHES * 10_000);
    },
  );

  it.each(API_SEARCHES)('are charged to a caller who leaves a stream before any show: %s', async (_, path, body) => {
    chat.upstream.always(() => hang());
    const client = new AbortController();
    const arrived = chat.upstream.received(chat.upstream.requests.length + 1);
    const requested = post(path, { ...body, stream: true }, { signal: client.signal }).catch(() => undefined);
    await arrived;
    client.abort();
    await requested;
    expect(await chat.row()).toMatchObject({ status: 'aborted', charge: { hostedTools: { web_search: 1 } } });
  });

  it.each(API_SEARCHES)('are limited to what a budget has reserved: %s', async (api, path, body) => {
    const limited = api === 'responses' ? { max_tool_calls: 10 } : { tools: [{ name: 'web_search', max_uses: 10 }] };
    chat.upstream.always(() => json(503, {}));
    await post(path, body);
    expect(chat.sent()).toMatchObject(api === 'responses' ? { ...limited, tools: [{ type: 'web_search' }] } : limited);
    const headers = { ...chat.pro.headers, ...HEADERS };
    await fetch(`${chat.gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(JSON.stringify(chat.sent())).not.toMatch(/max_uses|max_tool_calls/);
  });

  it.each([
    ['/v1/messages', { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] }],
    ['/v1/responses', { tools: [{ type: 'web_search' }], max_tool_calls: 3 }],
  ])('keep the limit of the request: %s', async (path, limited) => {
    chat.upstream.always(() => json(503, {}));
    const [, , body] = API_SEARCHES.find(([, one]) => one === path) ?? [];
    await post(path, { ...body, ...limited });
    expect(chat.sent()).toMatchObject(limited);
  });

  it.each([0, 10])('are charged by the items of the answer: %i pictures', async (count) => {
    const pictures = Array.from({ length: count }, (_, at) => ({ type: 'image_generation_call', id: `i${at}` }));
    const text = { type: 'output_text', text: 'Done.', annotations: [] };
    const output = [...pictures, { type: 'message', role: 'assistant', id: 'm', content: [text] }];
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    chat.upstream.always(() => json(200, { id: 'r', object: 'response', status: 'completed', output, usage }));
    const tools = [{ type: 'image_generation' }];
    const response = await post('/v1/responses', { model: 'gpt', input: 'Draw.', max_output_tokens: 16, tools });
    expect((await costOf(response)).cost).toBe(10 * 1000 + 5 * 10_000 + count * 40_000_000);
  });
});

const FILE = { type: 'input_file', file_url: 'https://a.example/b.txt' };
const SENT_FILE = { type: 'file', file: { filename: 'b.txt', file_data: 'data:text/plain;base64,SGk=' } };

describe('a file that xAI searches', () => {
  it.each([
    ['/v1/responses', { input: [{ role: 'user', content: [FILE] }] }, 'input[0].content[0]'],
    ['/v1/chat/completions', { messages: [{ role: 'user', content: [SENT_FILE] }] }, 'messages[0].content[0]'],
  ])('needs the price of that tool, and is charged its calls: %s', async (path, request, param) => {
    const refused = await post(path, { ...request, model: 'grok-unlisted' });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_parameter', param } },
    ]);
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const searches = { server_side_tool_usage_details: { attachment_search_calls: 3 } };
    const message = { role: 'assistant', content: 'Hi.' };
    const counted = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    chat.upstream.always(() =>
      path === '/v1/responses'
        ? json(200, { id: 'r', object: 'response', status: 'completed', output: [], usage: { ...usage, ...searches } })
        : json(200, { id: 'a', choices: [{ index: 0, message, finish_reason: 'stop' }], usage: counted }),
    );
    const { cost, reserved } = await costOf(await post(path, { ...request, model: 'grok' }));
    expect(cost).toBe(10 * 1000 + 5 * 10_000 + (path === '/v1/responses' ? 3 : 1) * 10_000_000);
    expect(reserved).toBeGreaterThan(10 * 10_000_000);
  });
});

describe('a model that always searches', () => {
  const usage = {
    ...{ prompt_tokens: 10, completion_tokens: 1000, total_tokens: 1010 },
    ...{ citation_tokens: 20_000, num_search_queries: 30, reasoning_tokens: 7000 },
  };
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }];
  const answer = json(200, { id: 'a', object: 'chat.completion', created: 1, model: 'm', choices, usage });
  const reservedFor = async (fields: object) => {
    chat.upstream.always(() => answer);
    const response = await post('/v1/chat/completions', { ...QUESTION, model: 'sonar', ...fields });
    return costOf(response);
  };
  const counted = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const unsearched = json(200, { id: 'a', object: 'chat.completion', model: 'm', choices, usage: counted });

  it.each(['finder', 'routed'])('is known at other providers by its name: %s', async (model) => {
    for (const fields of [{}, { disable_search: true }, { web_search_options: {} }]) {
      chat.upstream.always(() => unsearched);
      const response = await post('/v1/chat/completions', { ...QUESTION, model, max_tokens: 10, ...fields });
      const { cost, reserved } = await costOf(response);
      expect(cost).toBe(10 * 1000 + 5 * 10_000 + 25_000_000);
      expect(reserved).toBeGreaterThan(10 * 25_000_000);
    }
  });

  it('is charged and reserves the price of a larger search, and refuses one without a price', async () => {
    const search = (search_context_size: string) => ({ ...QUESTION, web_search_options: { search_context_size } });
    for (const [size, nanodollars] of [
      ['low', 5_000_000],
      ['high', 12_000_000],
    ] as const) {
      chat.upstream.always(() => unsearched);
      const response = await post('/v1/chat/completions', { ...search(size), max_tokens: 10, model: 'sonar-sizes' });
      const { cost, reserved } = await costOf(response);
      expect(cost).toBe(10 * 1000 + 5 * 10_000 + nanodollars);
      expect(reserved).toBeGreaterThan(10 * nanodollars);
      expect(reserved).toBeLessThan(11 * nanodollars + 110_000_000);
    }
    const refused = await post('/v1/chat/completions', { ...search('medium'), model: 'sonar-sizes' });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: 'unsupported_parameter', param: 'web_search_options' } },
    ]);
  });

  it('is charged for its searches, citations and research, without being asked for them', async () => {
    const { cost, charge } = await reservedFor({});
    expect(cost).toBe(20_010 * 1000 + 8000 * 10_000 + 30 * 5_000_000);
    expect(charge).toMatchObject({ hostedTools: { web_search: 30 } });
  });

  it('reserves searches, unless the request disables them', async () => {
    const [searching, disabled] = [await reservedFor({}), await reservedFor({ disable_search: true })];
    expect(searching.reserved - disabled.reserved).toBeGreaterThan(10 * (5_000_000 + 10_000 * 1000) * 0.99);
    expect(disabled.reserved).toBeLessThan(10_000_000);
  });

  it('is charged one search if it reports none, and nothing for a disabled one', async () => {
    const reported = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    for (const [fields, searches] of [
      [{}, 1],
      [{ disable_search: true }, 0],
    ] as const) {
      chat.upstream.always(() =>
        json(200, { id: 'a', object: 'chat.completion', model: 'm', choices, usage: reported }),
      );
      const response = await post('/v1/chat/completions', { ...QUESTION, model: 'sonar', ...fields });
      expect((await costOf(response)).cost).toBe(10 * 1000 + 5 * 10_000 + searches * 5_000_000);
    }
  });

  it('is not believed to have counted everything before the end of its stream', async () => {
    const delta = { role: 'assistant', content: 'Found. '.repeat(200) };
    const counted = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    const part = { id: 'a', object: 'chat.completion.chunk', choices: [{ index: 0, delta }], usage: counted };
    chat.upstream.always(() => streamOf([`data: ${JSON.stringify(part)}\n\n`], hang()));
    const response = await post('/v1/chat/completions', { ...QUESTION, max_tokens: 900, model: 'sonar', stream: true });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const { status, output, charge } = await costOf(response);
    expect({ status, charge }).toMatchObject({ status: 'aborted', charge: { hostedTools: { web_search: 1 } } });
    expect(Number(output)).toBeGreaterThanOrEqual(400);
  });
});
