import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { completion, stream } from './support/chat-answers.js';
import { json, sse } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 };
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Hello' }];

/** Each has an upstream of its own, as failing targets are set aside. */
const FAILURES = ['malformed-function-call', 'unexpected-tool-call', 'too-many-tool-calls'];

const gemini = await ScriptedUpstream.start();
const other = await ScriptedUpstream.start();
const model = (id: string, targets: string, more = 'price: free') =>
  `- { id: ${id}, tier: free, displayName: Model, description: Model, contextLength: 100000, ${more}, targets: [${targets}] }`;
const target = '{ upstream: gemini, model: gemini-3.8-flash }';
const gateway = await TestGateway.start({
  env: Object.fromEntries(
    ['gemini', 'other', ...FAILURES].map((upstream) => [
      `${upstream.toUpperCase().replaceAll('-', '_')}_API_KEY`,
      'key-1',
    ]),
  ),
  config: {
    'gateway.yaml': 'retry: { attempts: 2, budgetPercent: 0, floor: 5 }',
    'upstreams.yaml':
      `gemini: { protocol: gemini, baseUrl: "${gemini.url}/v1beta" }\n` +
      FAILURES.map((reason) => `${reason}: { protocol: gemini, baseUrl: "${gemini.url}/v1beta" }\n`).join('') +
      `other: { protocol: groq, baseUrl: "${other.url}/v1" }`,
    'models.yaml': [
      model('gemini', target),
      model('other', '{ upstream: other, model: m }'),
      ...FAILURES.map((reason) =>
        model(
          reason,
          `{ upstream: ${reason}, model: m }, { upstream: other, model: m, priority: 2 }`,
          'price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }',
        ),
      ),
    ].join('\n'),
  },
});
const key: string = (await gateway.createUser()).key.key;
const client = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

const PNG = 'iVBORw0KGgoAAAANSUhEUg==';
const URL_OF_PNG = `data:image/png;base64,${PNG}`;
const picture = { inlineData: { mimeType: 'image/png', data: PNG }, thoughtSignature: 'c2lnbmVk' };
const CHAT_IMAGE = { type: 'image_url', index: 0, image_url: { url: URL_OF_PNG } };

function post(path: string, body: object): Promise<Response> {
  return fetch(`${gateway.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  });
}

function sentTo(upstream: ScriptedUpstream): { contents: { parts: object[] }[]; generationConfig?: object } {
  return upstream.requests.at(-1)?.json() as ReturnType<typeof sentTo>;
}

function finished(finishReason: string, ...parts: object[]): object {
  return { candidates: [{ content: { role: 'model', parts }, finishReason }], usageMetadata };
}

describe('an answer of Gemini without content', () => {
  it.each(FAILURES)(
    'an answer of Gemini without content that ended with %s is answered by the next target, and charged',
    async (failure) => {
      const reason = failure.toUpperCase().replaceAll('-', '_');
      gemini.enqueue(json(200, finished(reason)));
      other.enqueue(completion());
      const whole = await client.chat.completions.create({ model: failure, messages });
      expect(whole.choices[0]?.message.content).toBe('Hello there!');

      gemini.enqueue(sse([finished(reason)], { done: false }));
      other.enqueue(stream());
      const streamed = await client.chat.completions.stream({ model: failure, messages }).finalChatCompletion();
      expect(streamed.choices[0]?.message.content).toBe('Hello there!');

      const calls = await gateway.database.query<{ outcomes: string[]; charge: { otherAttempts: number } }>(
        `SELECT ARRAY(SELECT jsonb_array_elements(attempts) ->> 'outcome') AS outcomes, charge
       FROM usage_calls WHERE model = $1`,
        [failure],
      );
      const charged = { outcomes: ['upstream_error', 'ok'], charge: { otherAttempts: 5 * 1000 + 2 * 10_000 } };
      expect(calls).toMatchObject([charged, charged]);
    },
  );
});

describe('a picture that Gemini makes', () => {
  const parts = [{ text: 'Here: ' }, picture];
  const whole = () => json(200, finished('STOP', ...parts));
  const streamed = () =>
    sse(
      parts.map((part) => finished('STOP', part)),
      { done: false },
    );

  it('is in message.images of a chat completion, which may request it', async () => {
    gemini.enqueue(whole());
    const modalities = ['text', 'image'];
    const response = await post('chat/completions', { model: 'gemini', messages, modalities });
    const { choices } = (await response.json()) as OpenAI.ChatCompletion;
    expect(choices[0]?.message).toMatchObject({ content: 'Here: ', images: [CHAT_IMAGE] });
    expect(response.headers.get('x-gateway-ignored-parameters')).toBeNull();
    expect(sentTo(gemini).generationConfig).toEqual({ responseModalities: ['TEXT', 'IMAGE'] });
  });

  it('is in delta.images of a stream', async () => {
    gemini.enqueue(streamed());
    const stream = await client.chat.completions.create({ model: 'gemini', messages, stream: true });
    const images: unknown[] = [];
    for await (const { choices } of stream) {
      const { images: made = [] } = (choices[0]?.delta ?? {}) as { images?: unknown[] };
      images.push(...made);
    }
    expect(images).toMatchObject([CHAT_IMAGE]);
  });

  it('goes back to Gemini with its signature, and is left out and named elsewhere', async () => {
    gemini.enqueue(whole());
    const first = await post('chat/completions', { model: 'gemini', messages });
    const { choices } = (await first.json()) as OpenAI.ChatCompletion;
    const history = [...messages, choices[0]?.message, { role: 'user', content: 'Make it blue.' }];
    gemini.enqueue(json(200, finished('STOP', { text: 'Done.' })));
    const second = await post('chat/completions', { model: 'gemini', messages: history });
    expect(second.headers.get('x-gateway-ignored-parameters')).toBeNull();
    expect(sentTo(gemini).contents[1]).toEqual({ role: 'model', parts });

    other.enqueue(completion());
    const elsewhere = await post('chat/completions', { model: 'other', messages: history });
    expect(elsewhere.status).toBe(200);
    expect(elsewhere.headers.get('x-gateway-ignored-parameters')).toBe('messages[1].images');
    expect(JSON.stringify(other.requests.at(-1)?.json())).not.toContain(PNG);
  });

  it('is an item of a response, streamed or not, and goes back to Gemini', async () => {
    gemini.enqueue(whole());
    const { output } = await client.responses.create({ model: 'gemini', input: 'Draw.' });
    const item = { type: 'image_generation_call', id: expect.stringMatching(/^ig_/), status: 'completed', result: PNG };
    expect(output).toMatchObject([{ type: 'message' }, item]);

    gemini.enqueue(streamed());
    const stream = client.responses.stream({ model: 'gemini', input: 'Draw.' });
    const types: string[] = [];
    for await (const { type } of stream) if (type.includes('image_generation')) types.push(type);
    expect(types).toEqual(['response.image_generation_call.in_progress', 'response.image_generation_call.completed']);
    expect((await stream.finalResponse()).output).toMatchObject([{ type: 'message' }, item]);

    const input = [{ role: 'user', content: 'Draw.' }, ...output, { role: 'user', content: 'Make it blue.' }];
    gemini.enqueue(json(200, finished('STOP', { text: 'Done.' })));
    const second = await post('responses', { model: 'gemini', input });
    expect(second.headers.get('x-gateway-ignored-parameters')).toBeNull();
    expect(sentTo(gemini).contents[1]?.parts).toMatchObject([{ text: 'Here: ' }, { inlineData: picture.inlineData }]);
    other.enqueue(completion());
    const elsewhere = await post('responses', { model: 'other', input });
    expect(elsewhere.headers.get('x-gateway-ignored-parameters')).toBe('input[2]');
  });

  it.each([false, true])(
    'is named as lost in the answer of Messages, which has no images (streamed: %s)',
    async (stream) => {
      gemini.enqueue(stream ? streamed() : whole());
      const response = await post('messages', { model: 'gemini', max_tokens: 50, messages, stream });
      const text = await response.text();
      expect(text).toContain('Here: ');
      expect(text).toContain('The model made an image, which the Messages API cannot return.');
      expect(text).not.toContain(PNG);
    },
  );
});

it('refuses pictures from a model that makes none', async () => {
  const response = await post('chat/completions', { model: 'other', messages, modalities: ['text', 'image'] });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: 'modalities', code: 'unsupported_value' } });
});

it('sends an image/jpg as image/jpeg to every provider', async () => {
  const content = [{ type: 'image_url', image_url: { url: 'data:image/jpg;base64,/9j/4AAQ' } }];
  gemini.enqueue(json(200, finished('STOP', { text: 'A cat.' })));
  await post('chat/completions', { model: 'gemini', messages: [{ role: 'user', content }] });
  expect(sentTo(gemini).contents[0]?.parts).toEqual([{ inlineData: { mimeType: 'image/jpeg', data: '/9j/4AAQ' } }]);
  gemini.enqueue(json(200, finished('STOP', { text: 'A cat.' })));
  const source = { type: 'base64', media_type: 'image/jpg', data: '/9j/4AAQ' };
  const blocks = [{ role: 'user', content: [{ type: 'image', source }] }];
  expect((await post('messages', { model: 'gemini', messages: blocks, max_tokens: 50 })).status).toBe(200);
  expect(sentTo(gemini).contents[0]?.parts).toEqual([{ inlineData: { mimeType: 'image/jpeg', data: '/9j/4AAQ' } }]);
  other.enqueue(completion());
  await post('chat/completions', { model: 'other', messages: [{ role: 'user', content }] });
  expect(other.requests.at(-1)?.json()).toMatchObject({
    messages: [{ content: [{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/4AAQ' } }] }],
  });
});
