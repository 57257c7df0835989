import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { awsEvent, awsException } from './support/aws-event-stream.js';
import { awsSignature } from './support/aws-signature.js';
import { readExchange } from './support/exchanges.js';
import type { ReceivedRequest } from './support/received-request.js';
import { chunk, head, json, lastChunk, type Script } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const MARK = { cache_control: { type: 'ephemeral' } };
const TEXT = { type: 'text', text: 'there' };
const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const folder = join(import.meta.dirname, '../src/upstreams/providers/bedrock/fixtures');
const model = 'nova-2-lite';
const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'tide_at' } }];
const messages: OpenAI.ChatCompletionMessageParam[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  },
];

const upstream = await ScriptedUpstream.start();
const gateway = await TestGateway.start({
  env: {
    BEDROCK_BASE_URL: upstream.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_SESSION_TOKEN: 'session-token',
  },
});
const user = await gateway.createUser();
const client = new OpenAI({ apiKey: user.key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

/** An event stream in pieces that split every message. */
function eventStream(bytes: Buffer): Script {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 37) }, (_, at) => bytes.subarray(at * 37, at * 37 + 37));
  const headers = { 'content-type': 'application/vnd.amazon.eventstream', 'transfer-encoding': 'chunked' };
  return [head(200, headers), ...pieces.map(chunk), lastChunk()];
}

function answerOf(file: string): Script {
  const { status, headers, body, stream, encoding } = readExchange(folder, file);
  const types = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-amzn-error')));
  return stream === null ? json(status, body, types) : eventStream(Buffer.from(stream, encoding));
}

function expectSigned({ headers, path, body }: ReceivedRequest): void {
  const { authorization = '' } = headers;
  const names = /SignedHeaders=([^,]*)/.exec(authorization)?.[1]?.split(';') ?? [];
  expect(names).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token']));
  const signed = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
  expect(authorization).toContain('/eu-central-1/bedrock/aws4_request');
  expect(authorization).toContain(`Signature=${awsSignature({ path, headers: signed, body }, SECRET, 'eu-central-1')}`);
}

describe('Bedrock with AWS access keys', () => {
  it('answers a JSON request with an image and tools, with a valid AWS signature', async () => {
    upstream.enqueue(answerOf('parallel-tools-without-arguments.json'));
    const completion = await client.chat.completions.create({ model, messages, tools, tool_choice: 'required' });
    expect(completion).toMatchObject({ model, usage: { total_tokens: 773 } });
    const calls = completion.choices[0]?.message.tool_calls;
    expect(calls?.map((call) => call.type === 'function' && call.function.arguments)).toEqual(['{}', '{}', '{}']);

    const request = upstream.requests.at(-1) as ReceivedRequest;
    expect(request.path).toBe('/model/global.amazon.nova-2-lite-v1%3A0/converse');
    expectSigned(request);
    expect(request.json()).toMatchObject({
      messages: [{ content: [{ text: 'What is this?' }, { image: { format: 'png', source: { bytes: 'AAAA' } } }] }],
      toolConfig: { toolChoice: { any: {} } },
    });
  });

  it.each([
    ['chat/completions', { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...MARK }, TEXT] }] }],
    [
      'messages',
      { max_tokens: 50, messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...MARK }, TEXT] }] },
    ],
    [
      'responses',
      {
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } },
              { type: 'input_text', text: 'there' },
            ],
          },
        ],
      },
    ],
  ])('passes a cache mark of /v1/%s on as a cache point', async (path, body) => {
    upstream.enqueue(answerOf('text.json'));
    const response = await fetch(`${gateway.url}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': user.key.key, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model, ...body }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-gateway-ignored-parameters')).toBeNull();
    expect(upstream.requests.at(-1)?.json()).toMatchObject({
      messages: [{ content: [{ text: 'Hi' }, { cachePoint: { type: 'default' } }, { text: 'there' }] }],
    });
  });

  it('answers a streamed request with tools', async () => {
    upstream.enqueue(answerOf('parallel-tools-stream.json'));
    const stream = client.chat.completions.stream({ model, messages, tools, stream_options: { include_usage: true } });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    expect(choices[0]?.message.content).toMatch(/^<thinking> Two harbours/);
    expect(choices[0]?.message.tool_calls?.map(({ id }) => id)).toEqual([
      'tooluse_m3Qd8yTzRkWc0VbNqLx5pA',
      'tooluse_-hT7_oPzE2nUuGs4JrKd9g',
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 388, completion_tokens: 71, total_tokens: 459 });
    expect(upstream.requests.at(-1)?.path).toBe('/model/global.amazon.nova-2-lite-v1%3A0/converse-stream');
    expectSigned(upstream.requests.at(-1) as ReceivedRequest);
  });

  it("retries with a new signature when a stream fails before the model's first output", async () => {
    const start = awsEvent('messageStart', { role: 'assistant' });
    upstream.enqueue(eventStream(Buffer.concat([start, awsException('internalServerException', { message: 'No.' })])));
    upstream.enqueue(answerOf('text-stream.json'));
    const before = upstream.requests.length;
    const stream = client.chat.completions.stream({ model, messages });
    expect((await stream.finalChatCompletion()).choices[0]?.message.content).toMatch(/^In order: first watch/);
    expect(upstream.requests.length - before).toBe(2);
    expectSigned(upstream.requests.at(-1) as ReceivedRequest);
  });

  it('reports a stream that fails or is corrupted later', async () => {
    const bytes = Buffer.from(readExchange(folder, 'text-stream.json').stream ?? '', 'latin1');
    bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1;
    for (const script of [answerOf('error-mid-stream.json'), eventStream(bytes)]) {
      upstream.enqueue(script);
      const stream = await client.chat.completions.create({ model, messages, stream: true });
      const reading = (async () => {
        for await (const _ of stream);
      })();
      await expect(reading).rejects.toMatchObject({ code: 'upstream_error' });
    }
  });

  it('drops and reports a field that the model does not support', async () => {
    const message = "This model doesn't support the stopSequences field. Remove stopSequences and try again.";
    upstream.enqueue(json(400, { message }, { 'x-amzn-errortype': 'ValidationException:http://internal.amazon.com/' }));
    upstream.enqueue(answerOf('text.json'));
    const { response } = await client.chat.completions.create({ model, messages, stop: ['END'] }).withResponse();
    expect(response.headers.get('x-gateway-ignored-parameters')).toBe('stop');
    expect(upstream.requests.at(-1)?.json()).not.toHaveProperty('inferenceConfig');
  });

  it("hides errors about the gateway's configuration from the client", async () => {
    upstream.enqueue(answerOf('error-401.json'));
    const refused = await gateway.complete(user, { model, messages });
    expect(refused.status).toBe(502);
    expect(await refused.text()).not.toContain('security token');
    expect(JSON.stringify(gateway.log)).not.toMatch(/wJalrXUtnFEMI|session-token/);
  });
});

describe('Bedrock with an API key', () => {
  it('sends it as a bearer token instead of a signature', async () => {
    const own = await TestGateway.start({
      env: { BEDROCK_BASE_URL: upstream.url, AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key' },
    });
    upstream.enqueue(answerOf('text.json'));
    const answer = await own.complete(await own.createUser(), { model, messages });
    expect(await answer.json()).toMatchObject({ choices: [{ finish_reason: 'length' }] });
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer bedrock-key');
    expect(upstream.requests.at(-1)?.headers['x-amz-date']).toBeUndefined();
  });
});
