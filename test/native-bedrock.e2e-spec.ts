import { describe, expect, it } from '@jest/globals';
import { awsException } from './support/aws-event-stream.js';
import { clientEvents, eventsIn, invokedChunk } from './support/native-checks.js';
import { fixtureOf } from './support/native-upstream.js';
import { chunk, drip, head, json, lastChunk, type Script } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const PATH = `/model/${encodeURIComponent(MODEL)}`;

const upstream = await ScriptedUpstream.start();
const gateway = await TestGateway.start({
  env: { AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key' },
  config: {
    'gateway.yaml': 'retry: { attempts: 1 }',
    'upstreams.yaml': `bedrock: { protocol: bedrock, baseUrl: "${upstream.url}" }`,
    'models.yaml': `- { id: claude, tier: free, displayName: M, description: D, contextLength: 200000, targets: [{ upstream: bedrock, model: "${MODEL}" }] }`,
  },
});
const user = await gateway.createUser();

function ask(fields: object = {}): Promise<Response> {
  const body = { model: 'claude', max_tokens: 100, messages: [{ role: 'user', content: 'Hello.' }], ...fields };
  const headers = { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'effort-2025-11-24,new-2027-01-01' };
  return fetch(`${gateway.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { ...user.headers, ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const STREAM_HEAD = { 'content-type': 'application/vnd.amazon.eventstream' };

function invoked(stream: string, rest: Script = lastChunk()): Script {
  const frames = eventsIn(stream).map(({ data }) => chunk(invokedChunk(data)));
  return [head(200, { ...STREAM_HEAD, 'transfer-encoding': 'chunked' }), ...frames, rest];
}

describe('Messages to Claude on Bedrock', () => {
  const streamed = fixtureOf('anthropic', 'tools', true).stream ?? '';

  it('are invocations of the model', async () => {
    const { body } = fixtureOf('anthropic', 'text', false);
    upstream.enqueue(json(200, body));
    const response = await ask({ future_field: [1] });
    expect([response.status, await response.json()]).toEqual([200, { ...(body as object), model: 'claude' }]);
    const { path, headers } = await upstream.received(upstream.requests.length);
    expect([path, headers.authorization, headers['anthropic-beta']]).toEqual([
      `${PATH}/invoke`,
      'Bearer bedrock-key',
      undefined,
    ]);
    expect(upstream.requests.at(-1)?.json()).toEqual({
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello.' }],
      future_field: [1],
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['effort-2025-11-24', 'new-2027-01-01'],
    });
  });

  it('are streamed as server-sent events, split at every byte', async () => {
    const bytes = Buffer.concat(eventsIn(streamed).map(({ data }) => invokedChunk(data)));
    upstream.enqueue([head(200, { ...STREAM_HEAD, connection: 'close' }), drip(bytes), (wire) => wire.end()]);
    const response = await ask({ stream: true });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = clientEvents(streamed).map(({ event, data }) => ({
      event,
      data: data.replace('public-model', 'claude'),
    }));
    expect(eventsIn(await response.text())).toEqual(events);
    expect(upstream.requests.at(-1)?.path).toBe(`${PATH}/invoke-with-response-stream`);
  });

  it('end with the exception that Bedrock reports in a stream', async () => {
    const begun = streamed.slice(0, streamed.indexOf('event: content_block_stop'));
    upstream.enqueue(invoked(begun, [chunk(awsException('throttlingException', { message: 'Slow.' })), lastChunk()]));
    const events = eventsIn(await (await ask({ stream: true })).text());
    expect(events.at(-1)).toMatchObject({ event: 'error', data: expect.stringContaining('rate_limit_error') });
  });

  it('are retried without the beta features that Bedrock refuses', async () => {
    const message = 'The model returned the following errors: invalid beta flag';
    upstream.enqueue(json(400, { message }, { 'x-amzn-errortype': 'ValidationException' }));
    upstream.enqueue(json(200, fixtureOf('anthropic', 'text', false).body));
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.get('x-gateway-ignored-parameters')).toBe('anthropic-beta');
    expect(upstream.requests.at(-1)?.json()).toMatchObject({ anthropic_beta: ['effort-2025-11-24'] });
    const before = upstream.requests.length;
    upstream.enqueue(json(200, fixtureOf('anthropic', 'text', false).body));
    const later = await ask();
    expect([later.status, later.headers.get('x-gateway-ignored-parameters')]).toEqual([200, 'anthropic-beta']);
    expect(upstream.requests.slice(before).map((request) => request.json())).toEqual([
      expect.objectContaining({ anthropic_beta: ['effort-2025-11-24'] }),
    ]);
  });
});
