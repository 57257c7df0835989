import { describe, expect, it } from '@jest/globals';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { openAiAdapter } from './openai.adapter.js';
import { openAiDialect } from './openai.dialect.js';
import { toUsage } from './response.js';

const adapter = openAiAdapter(openAiDialect);
const call = providerCall();

describe('a whole answer in OpenAI’s format', () => {
  const message = { role: 'assistant', content: 'Hi' };

  it('is valid even if the upstream omits or adds fields', () => {
    const body = {
      id: 'x',
      choices: [{ message: { ...message, tool_calls: null, reasoning_content: '' }, finish_reason: 'eos' }],
      service_tier: 'on_demand',
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, queue_time: 0.1 },
      x_own: { id: 'secret' },
    };
    const completion = adapter.fromResponse(body, call);
    expect(schemaFaults('completion', completion)).toEqual([]);
    expect(completion).toEqual({
      id: 'chatcmpl-abc',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'public-model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  });

  it('keeps only valid citations, audio and custom tool calls', () => {
    const cited = {
      type: 'url_citation',
      url_citation: { start_index: 0, end_index: 2, url: 'https://a', title: 'A' },
    };
    const custom = { id: 'c', type: 'custom', custom: { name: 'sql', input: 'select 1' } };
    const audio = { id: 'a', data: 'AAAA', expires_at: 1, transcript: 'Hi' };
    const rich = { ...message, annotations: [cited, { type: 'other' }], tool_calls: [custom], audio };
    const completion = adapter.fromResponse({ choices: [{ message: rich, finish_reason: 'stop' }] }, call);
    expect(schemaFaults('completion', completion)).toEqual([]);
    expect(completion.choices[0]).toMatchObject({
      message: { annotations: [cited], tool_calls: [custom], audio },
      finish_reason: 'tool_calls',
    });
    const poor = { ...message, audio: { id: 'a' }, annotations: 'none' };
    const other = adapter.fromResponse({ choices: [{ message: poor, finish_reason: 'stop' }] }, call);
    expect(other.choices[0]?.message).toEqual({ role: 'assistant', content: 'Hi', refusal: null });
  });

  it.each([
    [null],
    ['<html>'],
    [[]],
    [{}],
    [{ choices: [] }],
    [{ choices: [{ text: 'a completion' }] }],
    [{ choices: [{ message: null }] }],
  ])('%j is invalid: 502', (body) => {
    expect(() => adapter.fromResponse(body, call)).toThrow(UpstreamError);
    expect(() => adapter.fromResponse(body, call)).toThrow(expect.objectContaining({ status: 502 }));
  });

  it('a whole answer in OpenAI’s format with an error and status 200 throws that error', () => {
    const body = { error: { message: 'slow down', code: 429 } };
    expect(() => adapter.fromResponse(body, call)).toThrow(expect.objectContaining({ status: 429 }));
  });
});

const counts = (prompt_tokens: unknown, completion_tokens: unknown, total_tokens: unknown, more = {}) => ({
  usage: { prompt_tokens, completion_tokens, total_tokens, ...more },
});

describe('usageOf', () => {
  it.each([
    [counts(10, 5, 15), 10, 5],
    [counts(10, 5, undefined), 10, 5],
    [counts(10, 5, 12), 10, 5],
    [counts(10, 5, 40), 10, 30],
    [counts(0, 0, 0), 0, 0],
  ])('usageOf of %j has a total that is the sum of its parts', (body, prompt, completion) => {
    expect(toUsage(body, openAiDialect)).toEqual({
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
    });
  });

  it('adds tokens that only the total includes to the count that the dialect names', () => {
    const audio = counts(9, 201, 585, { prompt_tokens_details: { audio_tokens: 375 } });
    expect(toUsage(audio, { ...openAiDialect, shortCount: 'prompt_tokens' })).toMatchObject({
      prompt_tokens: 384,
      completion_tokens: 201,
      total_tokens: 585,
    });
  });

  it('counts cached tokens and reasoning also where a server excludes them', () => {
    const details = { cached_tokens: 1712, cache_write_tokens: 236 };
    const body = counts(3, 20, 23, {
      prompt_tokens_details: details,
      completion_tokens_details: { reasoning_tokens: 500 },
    });
    const sums = { prompt_tokens: 1712 + 236, completion_tokens: 500, total_tokens: 1712 + 236 + 500 };
    expect(toUsage(body, openAiDialect)).toMatchObject(sums);
  });

  it('keeps known details that are counts', () => {
    const details = { cached_tokens: 3, audio_tokens: null, own: 1, text_tokens: 2.5 };
    const body = counts(10, 5, 15, {
      prompt_tokens_details: details,
      completion_tokens_details: { reasoning_tokens: 4 },
    });
    expect(toUsage(body, openAiDialect)).toMatchObject({
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 4 },
    });
    expect(Object.keys(toUsage(body, openAiDialect)?.prompt_tokens_details ?? {})).toEqual(['cached_tokens']);
  });

  it("reads cached tokens from the dialect's own field", () => {
    const dialect = { ...openAiDialect, cachedTokensField: 'hits' };
    expect(toUsage(counts(10, 5, 15, { hits: 7 }), dialect)?.prompt_tokens_details).toEqual({ cached_tokens: 7 });
    expect(
      toUsage(counts(10, 5, 15, { hits: 7, prompt_tokens_details: null }), dialect)?.prompt_tokens_details,
    ).toEqual({
      cached_tokens: 7,
    });
  });

  it.each([
    [{}],
    [{ usage: null }],
    [{ usage: {} }],
    [counts(10, null, 10)],
    [counts('10', 5, 15)],
    [counts(-1, 5, 4)],
  ])('is undefined for %j', (body) => {
    expect(toUsage(body, openAiDialect)).toBeUndefined();
  });
});
