import { beforeAll, describe, expect, it } from '@jest/globals';
import { completion, refusal, stream, USAGE } from './support/chat-answers.js';
import { ChatTest, UPSTREAM_KEY } from './support/chat-test.js';
import { RoutingTest } from './support/routing-test.js';
import { json } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const PROMPT = 'a prompt that nobody else may read';
const MODEL = 'gpt-6-luna';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Record<string, unknown> }[];
  status?: { code?: number };
}

const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

/** Its attributes as plain values. */
function reported(span: Span | undefined): Record<string, unknown> {
  const pairs = span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [];
  return Object.fromEntries(pairs);
}

async function receivedSpans(run: (endpoint: string) => Promise<void>): Promise<Span[]> {
  const receiver = (await ScriptedUpstream.start()).always(() => json(200, {}));
  await run(receiver.url);
  return spansOf(receiver);
}

function spansOf(receiver: ScriptedUpstream): Span[] {
  return receiver.requests.flatMap((request) => {
    const { resourceSpans } = request.json() as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });
}

describe('the traces of calls', () => {
  let upstream: ScriptedUpstream;
  let receiver: ScriptedUpstream;
  let gateway: TestGateway;
  let user: TestUser;
  let spans: Span[];
  const requested: string[] = [];

  const ask = async (fields: object, traceparent?: string): Promise<void> => {
    const headers: Record<string, string> = traceparent ? { traceparent } : {};
    const body = { model: MODEL, messages: [{ role: 'user', content: PROMPT }], ...fields };
    await (await gateway.complete(user, body, { headers })).text();
    requested.push(upstream.requests.at(-1)?.headers.traceparent ?? '');
  };

  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    receiver = (await ScriptedUpstream.start()).always(() => json(200, {}));
    gateway = await TestGateway.start({
      env: {
        OPENAI_BASE_URL: `${upstream.url}/v1`,
        OPENAI_API_KEY: UPSTREAM_KEY,
        OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/otlp/`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b,authorization=Bearer otlp',
        OTEL_SERVICE_NAME: 'our-gateway',
      },
    });
    user = await gateway.createUser({ plan: 'pro' });
    for (const script of [refusal(500), completion(), stream(), completion(), refusal(400)]) upstream.enqueue(script);
    await ask({}, `00-${TRACE}-${CALLER}-01`);
    await ask({ stream: true });
    await ask({}, `00-${TRACE}-${CALLER}-00`);
    await ask({});
    await gateway.stop();
    spans = spansOf(receiver);
  });

  it('are sent to the receiver with its headers and the service name', () => {
    for (const request of receiver.requests) {
      expect(request.path).toBe('/otlp/v1/traces');
      expect(request.headers).toMatchObject({ 'x-tenant': 'a b', authorization: 'Bearer otlp' });
      expect(request.body).toContain('our-gateway');
    }
    expect(receiver.requests.length).toBeGreaterThan(0);
  });

  it("continue the caller's trace, an attempt below its call, and the upstream below its attempt", () => {
    const call = spans.find(({ traceId, kind }) => traceId === TRACE && kind === SERVER);
    expect(call).toMatchObject({ name: `chat ${MODEL}`, parentSpanId: CALLER });
    const attempts = spans.filter(({ traceId, kind }) => traceId === TRACE && kind === CLIENT);
    expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual([call?.spanId, call?.spanId]);
    expect(upstream.requests[0]?.headers.traceparent).toBe(`00-${TRACE}-${attempts[0]?.spanId}-01`);
    expect(requested[0]).toBe(`00-${TRACE}-${attempts[1]?.spanId}-01`);
  });

  it('describe the call and its attempts by the conventions for generative AI', () => {
    const call = spans.find(({ traceId, kind }) => traceId === TRACE && kind === SERVER);
    expect(reported(call)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': MODEL,
      'gen_ai.response.id': expect.stringMatching(/^chatcmpl-/),
      'gen_ai.usage.input_tokens': USAGE.prompt_tokens,
      'gen_ai.usage.output_tokens': USAGE.completion_tokens,
      'gateway.request_id': expect.stringMatching(/^req_/),
      'gateway.call.status': 'settled',
      'gen_ai.response.model': MODEL,
      'gen_ai.provider.name': 'openai',
      'http.response.status_code': 200,
      'gateway.call.first_token_ms': expect.any(Number),
    });
    expect(reported(call)['gateway.call.cost_usd']).toBeGreaterThan(0);
    const [failed, served] = spans.filter(({ traceId, kind }) => traceId === TRACE && kind === CLIENT);
    expect(reported(failed)).toMatchObject({ 'http.response.status_code': 500, 'error.type': 'upstream_error' });
    expect(failed?.status).toMatchObject({ code: ERROR });
    expect(reported(served)).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'gen_ai.usage.output_tokens': USAGE.completion_tokens,
      'server.address': '127.0.0.1',
      'server.port': upstream.port,
      'http.response.status_code': 200,
    });
    expect(served?.status?.code ?? 0).toBe(0);
  });

  it('start without a parent if the caller has none, for streams too', () => {
    const call = spans.find((span) => span.kind === SERVER && reported(span)['gen_ai.request.stream'] === true);
    expect(call).not.toHaveProperty('parentSpanId', expect.stringMatching(/./));
    expect(requested[1]).toMatch(new RegExp(`^00-${call?.traceId}-[0-9a-f]{16}-01$`));
    expect(reported(call)).toMatchObject({ 'gen_ai.usage.output_tokens': USAGE.completion_tokens });
  });

  it('are forwarded but not recorded if the caller decided so', () => {
    expect(requested[2]).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    expect(spans.filter(({ kind }) => kind === SERVER)).toHaveLength(3);
  });

  it('mark a failed call', () => {
    const failed = spans.filter(({ kind }) => kind === SERVER).at(-1);
    expect(failed?.status).toMatchObject({ code: ERROR });
    expect(reported(failed)).toMatchObject({ 'gateway.call.status': 'failed', 'error.type': 'invalid_value' });
  });

  it('never contain a prompt, an answer or a credential', () => {
    const sent = receiver.requests.map(({ body }) => body).join('');
    for (const secret of [PROMPT, 'Hello', UPSTREAM_KEY, user.key.key, user.email, user.key.id]) {
      expect(sent).not.toContain(secret);
    }
  });
});

describe('the traces of unusual calls', () => {
  it('name the model and the upstream that answered instead of the requested ones', async () => {
    const spans = await receivedSpans(async (endpoint) => {
      const chat = await RoutingTest.start({
        settings: 'retry: { attempts: 1 }',
        models: {
          m: 'targets: [{ upstream: first, model: x }], fallback: [n]',
          n: 'targets: [{ upstream: second, model: y }], price: { inputUsdPerMTok: 1, outputUsdPerMTok: 2 }',
        },
        upstreams: { first: ['a'], second: ['b'] },
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
      });
      chat.a.enqueue(refusal(503));
      chat.b.enqueue(completion());
      expect((await chat.ask('m')).status).toBe(200);
      await chat.gateway.stop();
    });
    expect(reported(spans.find(({ kind }) => kind === SERVER))).toMatchObject({
      'gen_ai.request.model': 'm',
      'gen_ai.response.model': 'n',
      'gen_ai.provider.name': 'second',
      'http.response.status_code': 200,
    });
  });

  it('name the operation of embeddings', async () => {
    const spans = await receivedSpans(async (endpoint) => {
      const chat = await RoutingTest.start({
        models: { embed: 'kind: embedding, dimensions: 2, maxInputTokens: 9, targets: [{ upstream: a, model: e }]' },
        upstreams: { a: ['a'] },
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
      });
      chat.a.enqueue(json(200, { data: [{ index: 0, embedding: [1, 0] }], usage: { prompt_tokens: 1 } }));
      const reply = await fetch(`${chat.gateway.url}/v1/embeddings`, {
        method: 'POST',
        headers: { ...chat.user.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'embed', input: 'x' }),
      });
      expect(reply.status).toBe(200);
      await chat.gateway.stop();
    });
    expect(spans.map(({ name }) => name).sort()).toEqual(['embeddings e', 'embeddings embed']);
    expect(reported(spans[0])).toMatchObject({ 'gen_ai.operation.name': 'embeddings' });
  });

  it('have a span for a rejected call if its caller traces it', async () => {
    const spans = await receivedSpans(async (endpoint) => {
      const chat = await ChatTest.start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
      const headers = { traceparent: `00-${TRACE}-${CALLER}-01` };
      expect((await chat.ask({ temperature: 9 }, { headers })).status).toBe(400);
      expect((await chat.ask({ temperature: 9 })).status).toBe(400);
      await chat.gateway.stop();
    });
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, kind: SERVER, status: { code: ERROR } });
    expect(reported(spans[0])).toMatchObject({ 'http.response.status_code': 400, 'error.type': 'invalid_value' });
  });
});
