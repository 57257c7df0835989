import { describe, expect, it } from '@jest/globals';
import OpenAI, {
  APIConnectionError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import { chunkOf, completion, refusal, stream, USAGE } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { hang, json, pause, type Script, sse } from './support/script.js';

const messages = [{ role: 'user' as const, content: 'Say hello.' }];
const question = { model: 'gpt-6-luna', messages };
/** Has function tools in chat completions. */
const CALLING = 'gpt-oss-20b';

/** As its makers ship it: only the base URL and the key are ours. */
const chat = await ChatTest.start({
  settings: 'stream: { commitAfter: 100ms, heartbeat: 50ms }\nretry: { attempts: 1 }',
});
const client = new OpenAI({ baseURL: `${chat.gateway.url}/v1`, apiKey: chat.pro.key.key });

interface Place {
  city: string;
}

function parsed(text: string): Place {
  return JSON.parse(text);
}

const weather = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

const toolCall = (args: string, id?: string) =>
  chunkOf({
    tool_calls: [
      { index: 0, ...(id && { id, type: 'function' }), function: { ...(id && { name: 'weather' }), arguments: args } },
    ],
  });

describe('the openai SDK', () => {
  it('gets a completion', async () => {
    chat.upstream.enqueue(completion('Hello!'));
    const { data, request_id } = await client.chat.completions.create(question).withResponse();
    expect(data).toMatchObject({ object: 'chat.completion', model: 'gpt-6-luna', usage: USAGE });
    expect(data.choices[0]?.message.content).toBe('Hello!');
    expect(request_id).toMatch(/^req_/);
    expect(data).toHaveProperty('_request_id', request_id);
  });

  it('reads a stream, also with heartbeats', async () => {
    chat.upstream.enqueue([pause(200), stream(['Hello', pause(150), ' 世界'])]);
    let text = '';
    for await (const chunk of await client.chat.completions.create({ ...question, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text).toBe('Hello 世界');
  });

  it('accumulates a stream with tool calls', async () => {
    chat.upstream.enqueue(
      sse([
        chunkOf({ role: 'assistant', content: null }),
        toolCall('', 'call_1'),
        toolCall('{"city":'),
        toolCall('"Oslo"}'),
        chunkOf({}, 'tool_calls'),
        { ...chunkOf({}), choices: [], usage: USAGE },
      ]),
    );
    const seen: string[] = [];
    const helper = client.chat.completions
      .stream({ ...question, model: CALLING, tools: [weather], stream_options: { include_usage: true } })
      .on('tool_calls.function.arguments.done', ({ name, arguments: args }) => seen.push(`${name} ${args}`));
    const whole = await helper.finalChatCompletion();
    expect(seen).toEqual(['weather {"city":"Oslo"}']);
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 'call_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] },
    });
    expect(whole.usage).toMatchObject(USAGE);
  });

  it('completes a round of tool calls', async () => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
    };
    chat.upstream.enqueue(json(200, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage: USAGE }));
    chat.upstream.enqueue(completion('It rains.'));
    const tool = {
      ...weather,
      function: { ...weather.function, parse: parsed, function: ({ city }: Place) => `rain in ${city}` },
    };
    const runner = client.chat.completions.runTools({ ...question, model: CALLING, tools: [tool] });
    expect(await runner.finalContent()).toBe('It rains.');
    expect((chat.sent().messages as object[]).slice(1)).toMatchObject([
      message,
      { role: 'tool', tool_call_id: 'call_1', content: 'rain in Oslo' },
    ]);
  });

  it('sends an image', async () => {
    chat.upstream.enqueue(completion());
    const url = `data:image/png;base64,${Buffer.from('image').toString('base64')}`;
    const content = [{ type: 'image_url' as const, image_url: { url } }];
    await client.chat.completions.create({ ...question, messages: [{ role: 'user', content }] });
    expect(chat.sent().messages).toEqual([{ role: 'user', content }]);
  });

  it('lists the models and retrieves one', async () => {
    const { data } = await client.models.list();
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(data.map(({ id }) => id));
    expect(ids).toContain('gpt-6-luna');
    expect(await client.models.retrieve('gpt-6-luna')).toMatchObject({ id: 'gpt-6-luna', object: 'model' });
  });

  it('aborts a stream, which ends that of the upstream', async () => {
    chat.upstream.enqueue(stream(['Hello', hang()]));
    const running = await client.chat.completions.create({ ...question, stream: true });
    for await (const chunk of running) if (chunk.choices[0]?.delta.content) break;
    await (await chat.upstream.received(chat.upstream.requests.length)).aborted;
    expect((await chat.row()).status).toBe('aborted');
  });

  it('aborts a call with its controller', async () => {
    chat.upstream.enqueue(hang());
    const controller = new AbortController();
    const call = client.chat.completions.create(question, { signal: controller.signal });
    const request = await chat.upstream.received(chat.upstream.requests.length + 1);
    controller.abort();
    await expect(call).rejects.toThrow(APIUserAbortError);
    await request.aborted;
  });
});

describe('an error reaches the openai SDK', () => {
  /** The error of a call that is not retried. */
  async function errorOf(script: Script | null, fields: object = {}, key = chat.pro.key.key): Promise<APIError> {
    if (script) chat.upstream.enqueue(script);
    const patient = client.withOptions({ maxRetries: 0, apiKey: key });
    const error = await patient.chat.completions.create({ ...question, ...fields }).then(
      () => undefined,
      (fault: unknown) => fault,
    );
    if (!(error instanceof APIError)) throw new Error('no error of the SDK', { cause: error });
    return error;
  }

  it.each([
    ['a bad key', null, {}, 'svc_wrong', AuthenticationError, 401, 'invalid_api_key', null],
    ['an unknown model', null, { model: 'nope' }, undefined, NotFoundError, 404, 'model_not_found', 'model'],
    ['a bad field', null, { temperature: 3 }, undefined, BadRequestError, 400, 'invalid_value', 'temperature'],
    [
      'the upstream’s refusal',
      refusal(400, 'No such thing.'),
      {},
      undefined,
      BadRequestError,
      400,
      'invalid_value',
      null,
    ],
    ['the upstream’s limit', refusal(429), {}, undefined, RateLimitError, 429, 'upstream_rate_limited', null],
    ['the upstream’s failure', refusal(500), {}, undefined, InternalServerError, 502, 'upstream_error', null],
  ])(
    'an error reaches the openai SDK as its class, code and request id: %s',
    async (_what, script, fields, key, kind, status, code, param) => {
      const error = await errorOf(script, fields, key);
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ status, code, param, requestID: expect.stringMatching(/^req_/) });
    },
  );

  it.each<[string, Script, string]>([
    [
      'in the middle of a stream',
      sse([chunkOf({ content: 'a' }), { error: { message: 'x', code: 503 } }]),
      'overloaded',
    ],
    ['at a stream’s early end', sse([chunkOf({ content: 'a' })], { done: false }), 'upstream_incomplete'],
    ['behind heartbeats', [pause(200), refusal(503)], 'overloaded'],
  ])('an error reaches the openai SDK as a thrown error %s', async (_where, script, code) => {
    chat.upstream.enqueue(script);
    const running = await client.chat.completions.create({ ...question, stream: true });
    const read = async () => {
      for await (const _chunk of running);
    };
    await expect(read()).rejects.toMatchObject({ code, constructor: APIError });
  });

  it('an error reaches the openai SDK and is retried by it only if that can help', async () => {
    const requested = async (script: Script) => {
      const before = chat.upstream.requests.length;
      chat.upstream.enqueue(script).enqueue(completion());
      const outcome = await client.chat.completions.create(question, { maxRetries: 1 }).then(
        () => 'answered',
        (error: APIError) => error.status,
      );
      // What is left in the upstream's script is used up.
      if (outcome !== 'answered') await client.chat.completions.create(question);
      return [outcome, chat.upstream.requests.length - before];
    };
    expect(await requested(refusal(429, 'x', { 'retry-after-ms': '20' }))).toEqual(['answered', 2]);
    // The gateway's own attempts are used up: a further one would come on top of them.
    expect(await requested(refusal(503, 'x', { 'retry-after-ms': '20' }))).toEqual([503, 2]);
    expect(await requested(refusal(401))).toEqual([502, 2]);
    expect(await requested(refusal(400, 'No such thing.'))).toEqual([400, 2]);
  });

  it('an error reaches the openai SDK as a connection error if the gateway cannot be reached', async () => {
    const nowhere = new OpenAI({ baseURL: 'http://127.0.0.1:1/v1', apiKey: 'svc_x', maxRetries: 0 });
    await expect(nowhere.models.list()).rejects.toThrow(APIConnectionError);
  });
});
