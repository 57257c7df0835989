import { describe, expect, it } from '@jest/globals';
import { ChatTest } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { eventOf, streamOf } from './support/native-test.js';
import { gate, hang, json } from './support/script.js';

const DOLLAR = 1_000_000_000n;
const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
/** Of a prompt of this many tokens, and of each result. */
const [PROMPT, RESULT] = [40_000, 10_000];
const LONG = 'ab '.repeat(PROMPT / 3);

const chat = await ChatTest.start({
  env: { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', XAI_API_KEY: 'k' },
  catalog: {
    models: `
- { id: claude, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { web_search: 0.01 } },
    targets: [{ upstream: anthropic, model: m }] }
- { id: gpt, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { web_search: 0.01 } },
    targets: [{ upstream: openai, model: gpt-6 }] }
- { id: grok, tier: free, displayName: M, description: D, contextLength: 1000000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, hostedTools: { web_search: 0.01, attachment_search: 0.01 } },
    targets: [{ upstream: xai, model: grok }] }`,
    upstreams: (baseUrl) => `
anthropic: { protocol: anthropic, baseUrl: "${baseUrl}" }
openai: { protocol: openai, baseUrl: "${baseUrl}" }
xai: { protocol: xai, baseUrl: "${baseUrl}" }`,
  },
});

interface SearchTool {
  readonly max_uses?: number;
}

/** Searches as often as it may, and bills the prompt with all results so far for each reading. */
function searching() {
  const sent = chat.upstream.requests.at(-1)?.json() as { tools: SearchTool[] };
  const searches = sent.tools.reduce((sum, { max_uses = 25 }) => sum + max_uses, 0);
  return answerAfter(searches);
}

function billedAfter(searches: number): number {
  return (searches + 1) * PROMPT + (RESULT * searches * (searches + 1)) / 2;
}

function responseAfter(searches: number) {
  const calls = Array.from({ length: searches }, (_, at) => ({ type: 'web_search_call', id: `w${at}` }));
  const text = { type: 'output_text', text: 'Found.', annotations: [] };
  const output = [...calls, { type: 'message', role: 'assistant', id: 'm', content: [text] }];
  const input_tokens = billedAfter(searches);
  const usage = { input_tokens, output_tokens: 10, total_tokens: input_tokens + 10 };
  return json(200, { id: 'r', object: 'response', status: 'completed', output, usage });
}

function answerAfter(searches: number) {
  return json(200, {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Found.' }] },
    stop_reason: 'end_turn',
    usage: {
      input_tokens: billedAfter(searches),
      output_tokens: 10,
      server_tool_use: { web_search_requests: searches },
    },
  });
}

const callerWith = (budget: bigint) => chat.gateway.createUser({ limits: { budgetTotalNanodollars: budget } });
type User = Awaited<ReturnType<typeof callerWith>>;

function post({ headers }: User, path: string, body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${chat.gateway.url}${path}`, {
    method: 'POST',
    headers: { ...headers, ...HEADERS },
    body: JSON.stringify(body),
    ...init,
  });
}

const search = (max_uses?: number) => ({
  type: 'web_search_20250305',
  name: 'web_search',
  ...(max_uses && { max_uses }),
});
const messages = [{ role: 'user', content: LONG }];
const asking = (max_uses?: number) => ({ model: 'claude', max_tokens: 100, messages, tools: [search(max_uses)] });
const sentTools = () => (chat.sent() as { tools: SearchTool[] }).tools;

async function spentBy({ key }: User): Promise<bigint> {
  const [row] = await chat.gateway.database.query<{ spent: string }>(
    "SELECT sum(cost_nanodollars) AS spent FROM usage_calls WHERE key_id = $1 AND status <> 'open'",
    [key.id],
  );
  return BigInt(row?.spent ?? 0);
}

describe('calls whose searches make Claude read the prompt again', () => {
  it.each([
    ['/v1/messages', asking()],
    ['/v1/messages', asking(25)],
    ['/v1/chat/completions', { model: 'claude', max_tokens: 100, messages, web_search_options: {} }],
  ])('never pass the budget side by side: %s %#', async (path, body) => {
    const user = await callerWith(2n * DOLLAR);
    chat.upstream.always(searching);
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await post(user, path, body)).status));
    const admitted = statuses.filter((status) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(8);
    expect(admitted).toBeLessThan(30);
    await eventually(async () => (await spentBy(user)) > 0n);
    expect(await spentBy(user)).toBeLessThanOrEqual(2n * DOLLAR);
  });

  it('may search as often as they ask if a budget is large enough', async () => {
    chat.upstream.always(searching);
    const user = await callerWith(100n * DOLLAR);
    expect((await post(user, '/v1/messages', asking(12))).status).toBe(200);
    expect(sentTools()).toMatchObject([{ max_uses: 12 }]);
    expect((await post(user, '/v1/messages', asking())).status).toBe(200);
    expect(sentTools()).toMatchObject([{ max_uses: 10 }]);
  });

  it('search less for a small budget, once for each tool with the last of it, and are then refused', async () => {
    chat.upstream.always(searching);
    const tools = [search(8), { type: 'web_search_20260209', name: 'web_search_too' }];
    const uses = async (budget: bigint) => {
      const response = await post(await callerWith(budget), '/v1/messages', { ...asking(), tools });
      return response.status === 200 ? sentTools().map(({ max_uses }) => max_uses) : response.status;
    };
    expect(await uses(4n * DOLLAR)).toEqual([2, 2]);
    expect(await uses(DOLLAR / 2n)).toEqual([1, 1]);
    expect(await uses(DOLLAR / 10n)).toBe(429);
  });
});

describe('calls whose searches make Grok read the prompt again', () => {
  const input = [{ role: 'user', content: LONG }];
  const body = { model: 'grok', input, max_output_tokens: 100, tools: [{ type: 'web_search' }] };
  const file = { type: 'input_file', file_url: 'https://a.example/b.txt' };

  it.each([
    [body, 4],
    [{ ...body, max_tool_calls: 2 }, 2],
    [{ ...body, tools: [], input: [{ role: 'user', content: [file] }] }, 1],
  ])('may be as many as a budget pays: %#', async (request, calls) => {
    chat.upstream.always(() => responseAfter(calls));
    const response = await post(await callerWith(3n * DOLLAR), '/v1/responses', request);
    expect(response.status).toBe(200);
    expect(chat.sent()).toMatchObject({ max_tool_calls: calls });
  });

  it('are charged with each reading to a caller who leaves the stream', async () => {
    const searchOf = (at: number) => ({ type: 'web_search_call', id: `w${at}`, status: 'completed' });
    const events = [
      eventOf('response.created', { response: { id: 'r', status: 'in_progress', output: [] } }),
      ...[0, 1, 2].map((at) => eventOf('response.output_item.done', { output_index: at, item: searchOf(at) })),
      eventOf('response.output_text.delta', { item_id: 'm', output_index: 3, content_index: 0, delta: 'Found.' }),
    ];
    chat.upstream.always(() => streamOf(events, hang()));
    const response = await post(await callerWith(100n * DOLLAR), '/v1/responses', { ...body, stream: true });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; !text.includes('Found.'); ) text += (await reader?.read())?.value;
    await reader?.cancel();
    const { status, input_tokens, charge } = await chat.row(response);
    expect({ status, charge }).toMatchObject({ status: 'aborted', charge: { hostedTools: { web_search: 3 } } });
    const once = (Number(input_tokens) - 3 * RESULT) / 4;
    expect(once).toBeGreaterThan(PROMPT / 4);
    expect(once).toBeLessThan(2 * PROMPT);
  });
});

describe('a whole answer that its caller leaves while the provider may search', () => {
  it.each([
    ['claude', '/v1/messages', asking(5), answerAfter(3)],
    [
      'claude',
      '/v1/chat/completions',
      { model: 'claude', max_tokens: 100, messages, web_search_options: {} },
      answerAfter(3),
    ],
    [
      'gpt',
      '/v1/responses',
      { model: 'gpt', input: 'Look.', max_output_tokens: 100, tools: [{ type: 'web_search' }] },
      responseAfter(3),
    ],
  ])('is read to its end, and charged what the provider bills: %s at %s', async (_model, path, body, answer) => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    chat.upstream.always(() => [gate(opened), answer]);
    const client = new AbortController();
    const arrived = chat.upstream.received(chat.upstream.requests.length + 1);
    const user = await callerWith(100n * DOLLAR);
    const requested = post(user, path, body, { signal: client.signal }).catch(() => undefined);
    await arrived;
    const logged = () => chat.gateway.log.filter(({ msg }) => msg === 'request').length;
    const before = logged();
    client.abort();
    await requested;
    await eventually(() => logged() > before);
    open();
    expect(await chat.row()).toMatchObject({
      status: 'aborted',
      token_source: 'reported',
      input_tokens: String(billedAfter(3)),
      charge: { hostedTools: { web_search: 3 } },
    });
  });
});
