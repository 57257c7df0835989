import { beforeAll, describe, expect, it } from '@jest/globals';
import { completion, refusal, stream } from './support/chat-answers.js';
import { ChatTest, QUESTION, UPSTREAM_KEY } from './support/chat-test.js';
import { expectError } from './support/error-reply.js';
import { json } from './support/script.js';

let chat: ChatTest;
beforeAll(async () => {
  chat = await ChatTest.start();
});

const SAMPLING = { temperature: 0.5, max_tokens: 9, top_p: 0.25, stop: 'END' };
const OTHERS = { seed: 7, user: 'u-1', frequency_penalty: 0.5, presence_penalty: -0.5 };
const UNKNOWN = { top_k: 40, vendor: { own: ['field'] } };
const DENIED = {
  api_base: 'http://127.0.0.1:1',
  base_url: 'http://127.0.0.1:1',
  apiKey: 'sk-caller',
  extra_headers: { 'x-evil': '1' },
  custom_host: 'http://127.0.0.1:1',
  mock_response: 'fake',
  models: ['other'],
};

/** The body sent to the upstream, without its messages. */
async function forwarded(model: string, fields: object): Promise<Record<string, unknown>> {
  chat.upstream.enqueue(completion());
  const reply = await chat.ask({ model, ...fields });
  expect(reply.status).toBe(200);
  const { messages, ...rest } = chat.sent();
  expect(messages).toEqual(QUESTION.messages);
  return rest;
}

describe('a request', () => {
  it('is sent to its upstream with the gateway’s credential, and without the caller’s headers', async () => {
    chat.upstream.enqueue(completion());
    const own = { 'x-own': 'secret', cookie: 'a=b', 'openai-organization': 'org-caller', 'accept-encoding': 'gzip' };
    await chat.ask({}, { headers: own });
    const { method, path, headers } = chat.upstream.requests.at(-1) ?? {};
    expect({ method, path }).toEqual({ method: 'POST', path: '/v1/chat/completions' });
    const { host, 'content-length': length, ...rest } = headers ?? {};
    expect(rest).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: `Bearer ${UPSTREAM_KEY}`,
      'user-agent': 'chat-completion-gateway',
      connection: 'keep-alive',
    });
    expect([host, Number(length) > 0]).toEqual([new URL(chat.upstream.url).host, true]);
  });

  it.each([
    ['gpt-6-luna', 'gpt-6-luna'],
    ['mistral-small-4', 'mistral-small-2603'],
    ['deepseek-v4.1-flash', 'deepseek-flash'],
    ['gpt-oss-20b', 'openai/gpt-oss-20b'],
    ['grok-4.7', 'grok-4.7'],
  ])('a request for %s requests %s, without defaults for missing fields', async (model, upstreamModel) => {
    expect(await forwarded(model, {})).toEqual({ model: upstreamModel, stream: false });
  });

  it.each([
    ['gpt-6-luna', { temperature: 0.5, top_p: 0.25, stop: 'END', max_completion_tokens: 9, ...OTHERS, ...UNKNOWN }],
    ['mistral-small-4', { ...SAMPLING, random_seed: 7, frequency_penalty: 0.5, presence_penalty: -0.5 }],
    // It thinks, so it gets no temperature and top_p.
    ['deepseek-v4.1-flash', { max_tokens: 9, stop: 'END', frequency_penalty: 0.5, presence_penalty: -0.5 }],
    ['gpt-oss-20b', { temperature: 0.5, top_p: 0.25, stop: 'END', max_completion_tokens: 9, ...OTHERS }],
    ['grok-4.7', { temperature: 0.5, top_p: 0.25, stop: 'END', max_completion_tokens: 9, ...OTHERS }],
  ])('a request for %s has the fields that its upstream supports, under its names', async (model, expected) => {
    const {
      model: _,
      stream: __,
      ...fields
    } = await forwarded(model, { ...SAMPLING, ...OTHERS, ...UNKNOWN, ...DENIED });
    expect(fields).toEqual(expected);
  });

  it('requests usage of streams from every upstream, in its own way, and keeps the caller’s known stream options', async () => {
    const requested: unknown[] = [];
    for (const model of ['gpt-6-luna', 'mistral-small-4', 'deepseek-v4.1-flash', 'gpt-oss-20b', 'grok-4.7']) {
      chat.upstream.enqueue(stream());
      const options = { include_usage: false, include_obfuscation: false };
      await (await chat.ask({ model, stream: true, stream_options: options })).text();
      expect(chat.sent().stream).toBe(true);
      requested.push(chat.sent().stream_options);
    }
    const own = { include_usage: true, include_obfuscation: false };
    expect(requested).toEqual([own, undefined, { include_usage: true }, undefined, { include_usage: true }]);
  });

  it('keeps every role, and the arguments of tool calls unchanged', async () => {
    const args = '{ "city":"Zürich",\n"n" : 1.0 }';
    const messages = [
      { role: 'system', content: 'a' },
      { role: 'developer', content: [{ type: 'text', text: 'b' }] },
      { role: 'user', content: 'c', name: 'n' },
      { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: args } }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'd' },
      { role: 'assistant', content: null, function_call: { name: 'g', arguments: args } },
      { role: 'function', name: 'g', content: 'e' },
    ];
    chat.upstream.enqueue(completion());
    expect((await chat.ask({ messages })).status).toBe(200);
    expect(chat.sent().messages).toEqual(messages);
  });

  it('is not affected by keys that name a prototype', async () => {
    chat.upstream.enqueue(completion());
    const body = `{"__proto__":{"stream":true},"constructor":{},"metadata":{"__proto__":"x"},${JSON.stringify(QUESTION).slice(1)}`;
    const reply = await fetch(`${chat.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...chat.pro.headers, 'content-type': 'application/json' },
      body,
    });
    expect(reply.status).toBe(200);
    expect(Object.keys(chat.sent()).sort()).toEqual(['messages', 'metadata', 'model', 'stream']);
    expect(chat.sent().stream).toBe(false);
  });
});

describe('an image', () => {
  const imageMessage = (url: string) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ];

  it.each(['gpt-6-luna', 'mistral-small-4', 'grok-4.7'])(
    'an image in base64 reaches the upstream of %s',
    async (model) => {
      chat.upstream.enqueue(completion());
      const messages = imageMessage(`data:image/png;base64,${Buffer.from('image').toString('base64')}`);
      expect((await chat.ask({ model, messages })).status).toBe(200);
      expect(chat.sent().messages).toEqual(messages);
    },
  );

  it('an image by address is never fetched by the gateway', async () => {
    const { requests, connections } = chat.upstream;
    const before = requests.length;
    chat.upstream.enqueue(completion());
    const messages = imageMessage(`${chat.upstream.url}/image.png`);
    expect((await chat.ask({ messages })).status).toBe(200);
    expect(chat.sent().messages).toEqual(messages);
    expect([requests.length - before, chat.upstream.connections - connections]).toEqual([1, 0]);
  });

  it('an image of 30 MB is forwarded completely', async () => {
    chat.upstream.enqueue(completion());
    const url = `data:image/png;base64,${'QUJD'.repeat(7_500_000)}`;
    expect((await chat.ask({ messages: imageMessage(url) })).status).toBe(200);
    const [message] = chat.sent().messages as { content: { image_url?: { url: string } }[] }[];
    expect(message?.content[1]?.image_url?.url === url).toBe(true);
  });
});

describe('features that a model does not support', () => {
  const tool = { type: 'function', function: { name: 'f' } };
  const part = (content: object) => ({ messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, content] }] });
  const image = part({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } });
  const audio = part({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } });

  it.each([
    ['gpt-oss-20b', 'messages[0].content[1]', image],
    ['gpt-oss-120b', 'messages[0].content[1]', image],
    ['deepseek-v4.1-flash', 'messages[0].content[1]', audio],
    ['grok-4.7', 'messages[0].content[1]', audio],
    [
      'deepseek-v4.1-flash',
      'response_format',
      { response_format: { type: 'json_schema', json_schema: { name: 'a' } } },
    ],
    ['deepseek-v4.1-flash', 'n', { n: 2 }],
    ['gpt-oss-20b', 'n', { n: 2 }],
    ['gpt-oss-120b', 'logprobs', { logprobs: true }],
    ['mistral-small-4', 'tools[1]', { tools: [tool, { type: 'custom', custom: { name: 'g' } }] }],
    ['grok-4.7', 'modalities', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }],
  ])('%s: requesting them is a 400 that names %s, without calling an upstream', async (model, param, fields) => {
    const requested = chat.upstream.requests.length;
    const reply = await chat.ask({ model, ...fields });
    const { message } = await expectError(reply, { status: 400, code: 'unsupported_value', param });
    expect(message).toContain(model);
    expect(chat.upstream.requests).toHaveLength(requested);
  });
});

describe('a sampling parameter that a model rejects', () => {
  const refused = (name: string) =>
    json(400, {
      error: {
        message: `Unsupported value: '${name}' does not support this value with this model.`,
        type: 'invalid_request_error',
        param: name,
        code: 'unsupported_value',
      },
    });
  const ignored = (reply: Response) => reply.headers.get('x-gateway-ignored-parameters');
  const sentFields = (count: number) =>
    chat.upstream.requests.slice(-count).map((request) => {
      const { temperature, top_p } = request.json() as Record<string, unknown>;
      return { temperature, top_p };
    });

  it('is left out, immediately the next time, and the reply says so', async () => {
    chat.upstream.enqueue(refused('temperature')).enqueue(completion());
    const first = await chat.ask({ temperature: 0.11, top_p: 0.5 });
    expect([first.status, ignored(first)]).toEqual([200, 'temperature']);
    chat.upstream.enqueue(completion());
    const second = await chat.ask({ temperature: 0.11, top_p: 0.5 });
    expect([second.status, ignored(second)]).toEqual([200, 'temperature']);
    expect(sentFields(3)).toEqual([
      { temperature: 0.11, top_p: 0.5 },
      { temperature: undefined, top_p: 0.5 },
      { temperature: undefined, top_p: 0.5 },
    ]);
    expect((await chat.row(first)).attempts).toMatchObject([
      { outcome: 'invalid_value', status: 400 },
      { outcome: 'ok', status: 200 },
    ]);
  });

  it('is sent with another value, which the model may accept', async () => {
    chat.upstream.enqueue(refused('temperature')).enqueue(completion()).enqueue(completion());
    await chat.ask({ temperature: 0.12 });
    const other = await chat.ask({ temperature: 1 });
    expect([ignored(other), sentFields(1)]).toEqual([null, [{ temperature: 1, top_p: undefined }]]);
  });

  it('is left out of a stream as well, with a second one if necessary', async () => {
    chat.upstream.enqueue(refused('temperature')).enqueue(refused('top_p')).enqueue(stream());
    const reply = await chat.ask({ temperature: 0.13, top_p: 0.6, stream: true });
    expect([reply.status, ignored(reply)]).toEqual([200, 'temperature, top_p']);
    expect(await reply.text()).toContain('[DONE]');
    expect(sentFields(1)).toEqual([{ temperature: undefined, top_p: undefined }]);
  });

  it('is retried only once: a second rejection is final', async () => {
    chat.upstream.enqueue(refused('temperature')).enqueue(refused('temperature'));
    const requested = chat.upstream.requests.length;
    const reply = await chat.ask({ temperature: 0.14 });
    await expectError(reply, { status: 400, code: 'invalid_value', param: 'temperature' });
    expect(chat.upstream.requests.length - requested).toBe(2);
  });

  it('is not remembered when the call also fails without it', async () => {
    chat.upstream.enqueue(refused('top_p')).enqueue(refusal(400, 'Bad.')).enqueue(completion());
    expect((await chat.ask({ top_p: 0.35 })).status).toBe(400);
    const reply = await chat.ask({ top_p: 0.35 });
    expect([reply.status, ignored(reply), chat.sent().top_p]).toEqual([200, null, 0.35]);
  });

  it('is not remembered for others when it was named by text of the request', async () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'temperature', schema: { type: 'object' } } };
    const quoted = refusal(400, "Invalid name: 'temperature' is not supported as the name of a schema.");
    chat.upstream.enqueue(quoted).enqueue(completion('{}')).enqueue(completion());
    expect((await chat.ask({ temperature: 0.45, response_format })).status).toBe(200);
    const reply = await chat.ask({ temperature: 0.45 });
    expect([reply.status, ignored(reply), chat.sent().temperature]).toEqual([200, null, 0.45]);
  });

  it('is not assumed when the upstream names another field', async () => {
    chat.upstream.enqueue(refused('seed'));
    const requested = chat.upstream.requests.length;
    await expectError(await chat.ask({ temperature: 0.15, seed: 1 }), {
      status: 400,
      code: 'invalid_value',
      param: 'seed',
    });
    expect(chat.upstream.requests.length - requested).toBe(1);
  });
});

describe('if configured so', () => {
  let other: ChatTest;
  beforeAll(async () => {
    const settings = 'unsupported: ignore\nretry: { attempts: 1, retryWithoutRefusedParameters: false }';
    other = await ChatTest.start({ settings });
  });

  it('a rejected sampling parameter is an error for the caller', async () => {
    other.upstream.enqueue(refusal(400, "'temperature' is not supported with this model."));
    await expectError(await other.ask({ temperature: 0.1 }), { status: 400, code: 'invalid_value' });
    expect(other.upstream.requests).toHaveLength(1);
  });

  it('a field that the model does not support is left out, and the reply says so', async () => {
    other.upstream.enqueue(completion());
    const reply = await other.ask({ model: 'deepseek-v4.1-flash', n: 2, logit_bias: { 5: 1 } });
    expect([reply.status, reply.headers.get('x-gateway-ignored-parameters')]).toEqual([200, 'n, logit_bias']);
    expect(Object.keys(other.sent()).sort()).toEqual(['messages', 'model', 'stream']);
  });
});
