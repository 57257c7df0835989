import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, Subject, toArray } from 'rxjs';
import { answerOfStream, brokenPromises } from '../../../../test/support/client-answer.js';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { ChatCompletionChunk } from '../../contract/chat.types.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { openAiAdapter } from './openai.adapter.js';
import { openAiDialect } from './openai.dialect.js';

const adapter = openAiAdapter(openAiDialect);

const call = providerCall({ stream: true });

type Delta = Record<string, unknown>;

function chunk(delta: Delta, finish: string | null = null, more: Delta = {}): Delta {
  return { id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more };
}

function eventOf(event: Delta | string): UpstreamEvent {
  return { event: '', data: typeof event === 'string' ? event : JSON.stringify(event) };
}

/** The chunks of a stream, checked against the schema and the stream's guarantees. */
async function stream(...events: (Delta | string)[]): Promise<ChatCompletionChunk[]> {
  const chunks = await lastValueFrom(from(events.map(eventOf)).pipe(adapter.fromStream(call), toArray()));
  expect(chunks.flatMap((reported) => schemaFaults('chunk', reported))).toEqual([]);
  expect(brokenPromises(chunks, call)).toEqual([]);
  return chunks;
}

async function toolCalls(...deltas: Delta[]) {
  const chunks = await stream(...deltas.map((delta) => chunk({ tool_calls: [delta] })), chunk({}, 'stop'), '[DONE]');
  const reported = answerOfStream(chunks).choices[0];
  expect(reported?.finish).toBe('tool_calls');
  return reported?.toolCalls;
}

function failureOf(...events: (Delta | UpstreamEvent | string)[]): UpstreamError {
  let failure: unknown;
  const framed = events.map((event) =>
    typeof event === 'object' && 'data' in event && 'event' in event ? (event as UpstreamEvent) : eventOf(event),
  );
  from(framed)
    .pipe(adapter.fromStream(call))
    .subscribe({ error: (error) => (failure = error) });
  expect(failure).toBeInstanceOf(UpstreamError);
  return failure as UpstreamError;
}

describe('a stream in OpenAI’s format', () => {
  it("is emitted chunk by chunk, without the upstream's own fields", async () => {
    const extra = { x_groq: { id: 'secret' }, obfuscation: 'abc', p: 'pad', provider: 'p', system_fingerprint: null };
    const chunks = await stream(
      chunk({ role: 'assistant', content: '', refusal: null, channel: 'final' }, null, extra),
      chunk({ content: 'Hi' }, null, { ...extra, service_tier: 'on_demand' }),
      chunk({}, 'stop', { ...extra, service_tier: 'default', system_fingerprint: 'fp_1', usage: null }),
      '[DONE]',
    );
    const envelope = {
      id: 'chatcmpl-abc',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'public-model',
    };
    expect(chunks).toEqual([
      {
        ...envelope,
        choices: [{ index: 0, delta: { role: 'assistant', content: '', refusal: null }, finish_reason: null }],
      },
      { ...envelope, choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] },
      {
        ...envelope,
        choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
        service_tier: 'default',
        system_fingerprint: 'fp_1',
      },
    ]);
  });

  it('has the role in the first chunk of each choice, even if the upstream omits or repeats it', async () => {
    const chunks = await stream(
      { choices: [] },
      { choices: [{ index: 1, delta: { content: 'b' } }] },
      {
        choices: [
          { index: 0, delta: { role: 'assistant', content: 'a' } },
          { index: 1, delta: { content: 'c' } },
        ],
      },
      chunk({ role: 'assistant', content: 'd' }),
    );
    expect(answerOfStream(chunks).choices).toMatchObject({ 0: { content: 'ad' }, 1: { content: 'bc' } });
    expect(chunks).toHaveLength(3);
  });

  it('has usage once, at the end: the last one that was reported', async () => {
    const usage = (total: number) => ({ prompt_tokens: 1, completion_tokens: total - 1, total_tokens: total });
    const chunks = await stream(
      chunk({ content: 'a' }, null, { usage: usage(2) }),
      chunk({}, 'stop', { usage: usage(3) }),
      { choices: [], usage: usage(4) },
      '[DONE]',
    );
    expect(chunks.map((reported) => reported.usage)).toEqual([undefined, undefined, usage(4)]);
    expect(chunks.at(-1)?.choices).toEqual([]);
  });

  it('has the usage so far if the stream is truncated', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const chunks = await stream(chunk({ content: 'a' }, null, { usage }));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
  });

  it('passes pictures on, in a stream and in a whole answer', async () => {
    const image = { type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,iVBO' } };
    const chunks = await stream(chunk({ content: '', images: [image, null, 'x'] }), chunk({}, 'stop'), '[DONE]');
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.images ?? [])).toEqual([image]);
    const message = { role: 'assistant', content: '', images: [{ type: 'image_url', image_url: image.image_url }] };
    const answer = adapter.fromResponse({ choices: [{ index: 0, message, finish_reason: 'stop' }] }, call);
    expect(answer.choices[0]?.message.images).toEqual([image]);
  });

  it('keeps the first of two finish reasons, and drops empty deltas after it', async () => {
    const chunks = await stream(
      chunk({ content: 'a' }),
      chunk({ content: '' }, 'length'),
      chunk({ content: '', role: 'assistant' }, 'stop'),
      '[DONE]',
    );
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, 'length']);
  });

  it.each([
    ['eos', 'stop'],
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['MAX_TOKENS', 'length'],
    ['max_output_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['content_filter', 'content_filter'],
    ['refusal', 'content_filter'],
    ['guardrail_intervened', 'content_filter'],
    ['SAFETY', 'content_filter'],
    ['something new', 'stop'],
  ])('maps the finish reason "%s" to %s', async (word, reason) => {
    expect(answerOfStream(await stream(chunk({}, word))).choices[0]?.finish).toBe(reason);
  });

  it.each(['stop', 'end_turn', 'tool_use', 'tool_calls'])(
    'a stream in OpenAI’s format that calls a tool and ends with "%s" has tool_calls',
    async (word) => {
      const called = {
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
      };
      expect(answerOfStream(await stream(chunk(called), chunk({}, word))).choices[0]?.finish).toBe('tool_calls');
    },
  );

  it.each(['error', 'MALFORMED_FUNCTION_CALL', 'malformed_tool_use'])(
    'a stream in OpenAI’s format that ends with "%s" has failed',
    async (word) => {
      await expect(stream(chunk({}, word))).rejects.toMatchObject({ status: 502, advice: 'retry' });
    },
  );

  it('has no finish reason if the upstream sent none', async () => {
    const chunks = await stream(chunk({ content: 'a' }), chunk({}, ''), '[DONE]');
    expect(answerOfStream(chunks).choices[0]).toMatchObject({ content: 'a', finish: null });
  });

  it('ends at its end marker, unsubscribes, and reads nothing after it', () => {
    const source = new Subject<UpstreamEvent>();
    const heard: string[] = [];
    source
      .pipe(adapter.fromStream(call))
      .subscribe({ complete: () => heard.push('end'), next: () => heard.push('chunk') });
    source.next(eventOf(chunk({ content: 'a' })));
    source.next(eventOf('[DONE]'));
    expect([heard, source.observed]).toEqual([['chunk', 'end'], false]);
    source.next(eventOf('junk'));
    expect(heard).toEqual(['chunk', 'end']);
  });

  it('ignores junk after the end marker in the same buffer', async () => {
    await expect(stream(chunk({}, 'stop'), '[DONE]', 'junk', '{"error":{"message":"x"}}')).resolves.toHaveLength(1);
  });

  it('completes log probabilities', async () => {
    const token = { token: 'a', logprob: -0.1 };
    const choice = { index: 0, delta: { content: 'a' }, logprobs: { content: [{ ...token, top_logprobs: [token] }] } };
    const [reported] = await stream({ choices: [choice] });
    const full = { ...token, bytes: null };
    expect(reported?.choices[0]?.logprobs).toEqual({ content: [{ ...full, top_logprobs: [full] }], refusal: null });
  });
});

describe('streamed tool calls', () => {
  const whole = (id: string, name: string, args: unknown = '{"a":1}') => ({ id, function: { name, arguments: args } });

  it("are indexed from 0, independent of the upstream's index", async () => {
    expect(await toolCalls({ index: 3, ...whole('x', 'f') }, { index: 5, ...whole('y', 'g') })).toEqual([
      { id: 'x', name: 'f', arguments: '{"a":1}' },
      { id: 'y', name: 'g', arguments: '{"a":1}' },
    ]);
  });

  it('are distinguished by id if the index is missing or always 0', async () => {
    const expected = [
      { id: 'x', name: 'f', arguments: '{"a":1}' },
      { id: 'y', name: 'f', arguments: '{"a":1}' },
    ];
    expect(await toolCalls(whole('x', 'f'), whole('y', 'f'))).toEqual(expected);
    expect(await toolCalls({ index: 0, ...whole('x', 'f') }, { index: 0, ...whole('y', 'f') })).toEqual(expected);
  });

  it('have their id and name once, even if the upstream repeats them or sends an empty name', async () => {
    const piece = (args: string, name?: string) => ({ index: 0, id: 'x', function: { name, arguments: args } });
    expect(await toolCalls(piece('{"a"', 'f'), piece(':', 'f'), piece('1}', ''), piece('', 'f'))).toEqual([
      { id: 'x', name: 'f', arguments: '{"a":1}' },
    ]);
  });

  it('continue the last call if a delta has neither index nor id', async () => {
    expect(await toolCalls(whole('x', 'f', '{"a"'), { function: { arguments: ':1}' } })).toEqual([
      { id: 'x', name: 'f', arguments: '{"a":1}' },
    ]);
  });

  it.each([[''], [null], [undefined]])('have {} for arguments that are %j', async (args) => {
    const call = { index: 0, id: 'x', function: { name: 'f', arguments: args } };
    expect(await toolCalls(call)).toEqual([{ id: 'x', name: 'f', arguments: '{}' }]);
  });

  it('have arguments as text, even if the upstream sends them parsed', async () => {
    expect(await toolCalls(whole('x', 'f', { a: 1 }))).toEqual([{ id: 'x', name: 'f', arguments: '{"a":1}' }]);
  });

  it('get a deterministic id if the upstream sends none', async () => {
    const reported = await toolCalls({ index: 0, function: { name: 'f', arguments: '{}' } });
    expect(reported?.[0]?.id).toMatch(/^call_abc/);
    expect(await toolCalls({ index: 0, function: { name: 'f', arguments: '{}' } })).toEqual(reported);
  });

  it('are not completed if the answer was cut', async () => {
    const chunks = await stream(chunk({ tool_calls: [whole('x', 'f', '')] }), chunk({}, 'length'));
    expect(answerOfStream(chunks).choices[0]).toMatchObject({ toolCalls: [{ arguments: '' }], finish: 'length' });
  });
});

describe('an error inside a stream', () => {
  it.each([
    [{ error: { message: 'busy', type: 'server_error', code: null } }, 502],
    [{ error: { message: 'busy', type: 'overloaded_error' } }, 503],
    [{ error: { message: 'slow down', code: 'rate_limit_exceeded' } }, 429],
    [{ error: { message: 'slow down', code: 429 } }, 429],
    [{ error: { message: 'bad tool', type: 'invalid_request_error', status_code: 400 } }, 400],
    [{ error: { message: 'busy', code: '503' } }, 503],
    [{ error: 'broken' }, 502],
    [{ choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 504, message: 'late' } }] }, 504],
    [chunk({}, 'error'), 502],
    ['{"choices":[', 502],
    [{ event: 'error', data: '{"message":"busy","code":"service_unavailable"}' }, 503],
    [{ event: 'error', data: 'busy' }, 502],
    [{ event: 'error', data: '"busy"' }, 502],
  ])('%j is thrown as %i', (event, status) => {
    expect(failureOf(chunk({ content: 'a' }), event as Delta).status).toBe(status);
  });

  it('is thrown even after a finish reason', () => {
    expect(failureOf(chunk({}, 'stop'), { error: { message: 'busy' } }).status).toBe(502);
  });
});
