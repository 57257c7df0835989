import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { providerCall } from '../../../test/support/provider-call.js';
import type { NativeBody } from '../contract/native.body.js';
import { UpstreamError } from '../contract/upstream.error.js';
import { nativeApiOf } from '../upstream-access.js';
import { PROVIDERS } from './providers.js';

const bodyOf = (fields: object): NativeBody => ({ api: 'completions', fields: { model: 'm', ...fields }, headers: {} });

function apiOf(protocol: string, settings: Record<string, string> = {}) {
  const adapter = PROVIDERS.find((one) => one.protocol === protocol);
  if (!adapter) throw new Error(`no adapter for ${protocol}`);
  return nativeApiOf(adapter, bodyOf({}), { upstreamModel: 'm', settings });
}

function requestOf(protocol: string, fields: object, settings: Record<string, string> = {}) {
  const inner = { max_tokens: 16, temperature: 0.5, stream: 'stream' in fields };
  const call = { ...providerCall(inner), upstreamModel: 'm', settings };
  return apiOf(protocol, settings)?.toRequest(call, bodyOf(fields));
}

const gap = { prompt: 'def a():', suffix: 'return 1', temperature: 0.5 };
const sent = { ...gap, model: 'm', max_tokens: 16 };

describe('text completions', () => {
  it.each([
    ['openai', {}, '/completions'],
    ['openai-compatible', {}, '/completions'],
    ['azure', { apiVersion: '2024-10-21' }, '/openai/deployments/m/completions?api-version=2024-10-21'],
    ['ollama', {}, '/v1/completions'],
    ['deepseek', {}, '/beta/completions'],
    ['mistral', {}, '/v1/fim/completions'],
  ])('text completions of %s fill gaps at a separate path', (protocol, settings, path) => {
    expect(requestOf(protocol, gap, settings)).toMatchObject({ path, body: sent, ignored: [] });
  });

  it.each(['vllm', 'together', 'openrouter'])('text completions of %s do not accept a suffix', (protocol) => {
    expect(requestOf(protocol, { prompt: 'a', temperature: 0.5 })?.body).toMatchObject({ prompt: 'a' });
    const refused = expect.objectContaining({ status: 400, body: expect.objectContaining({ param: 'suffix' }) });
    expect(() => requestOf(protocol, gap)).toThrow(refused);
  });

  it.each(['ollama', 'deepseek', 'mistral', 'together', 'openrouter'])(
    'text completions of %s accept one text',
    (protocol) => {
      expect(requestOf(protocol, { prompt: ['a'] })?.body.prompt).toBe('a');
      for (const prompt of [['a', 'b'], [1, 2], [[1]]]) {
        const refused = expect.objectContaining({ status: 400, body: expect.objectContaining({ param: 'prompt' }) });
        expect(() => requestOf(protocol, { prompt })).toThrow(refused);
      }
    },
  );

  it.each(['openai', 'vllm', 'azure', 'openai-compatible'])(
    'text completions of %s accept lists and tokens',
    (protocol) => {
      for (const prompt of [
        ['a', 'b'],
        [1, 2],
        [[1], [2]],
      ]) {
        expect(requestOf(protocol, { prompt })?.body.prompt).toEqual(prompt);
      }
    },
  );

  it('request the usage of a stream, and report unsupported fields', () => {
    const request = requestOf('azure', { prompt: 'a', stream: true, stream_options: null, future: 1 });
    expect(request?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(request?.ignored).toEqual(['future']);
    expect(requestOf('openai', { prompt: 'a', future: 1 })?.body).toMatchObject({ future: 1 });
    expect(requestOf('mistral', { prompt: 'a', n: 2, echo: true })?.ignored).toEqual(['n', 'echo']);
  });

  it.each(['anthropic', 'groq', 'openai-responses'])('are not supported by %s', (protocol) => {
    expect(apiOf(protocol)).toBeNull();
  });

  it('are read from text, and from the format of Chat Completions', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
    const logprobs = { tokens: ['x'], token_logprobs: [-1] };
    const texts = { choices: [{ text: 'x', index: 0, finish_reason: 'length', logprobs }], usage };
    expect(apiOf('openai')?.fromResponse(JSON.stringify(texts), providerCall())).toMatchObject({
      choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'length', logprobs }],
      usage,
    });
    const chat = {
      choices: [{ message: { role: 'assistant', content: 'x' }, index: 0, finish_reason: 'stop' }],
      usage,
    };
    expect(apiOf('mistral')?.fromResponse(JSON.stringify(chat), providerCall())).toMatchObject({
      choices: [{ message: { content: 'x' }, finish_reason: 'stop' }],
    });
    expect(() => apiOf('openai')?.fromResponse('{"error":1}', providerCall())).toThrow(UpstreamError);
  });

  it('text completions of a stream end once, with usage at the end', async () => {
    const events = [
      { choices: [{ text: 'a', index: 0, finish_reason: null }] },
      { choices: [{ text: 'b', index: 1, finish_reason: null }] },
      { choices: [{ text: '', index: 0, finish_reason: 'stop' }] },
      { choices: [{ delta: { content: 'c' }, index: 1, finish_reason: 'length' }] },
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 } },
    ].map((body) => ({ event: '', data: JSON.stringify(body) }));
    const api = apiOf('openai');
    if (!api) throw new Error('no API');
    const done = [...events, { event: '', data: '[DONE]' }];
    const chunks = await lastValueFrom(from(done).pipe(api.fromStream(providerCall()), toArray()));
    expect(
      chunks.flatMap(({ choices }) =>
        choices.map(({ index, delta, finish_reason: end }) => [index, delta.content, end]),
      ),
    ).toEqual([
      [0, 'a', null],
      [1, 'b', null],
      [0, '', 'stop'],
      [1, 'c', 'length'],
    ]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 6 } });
  });
});
