import { describe, expect, it } from '@jest/globals';
import { schemaFaults } from '../../../../test/support/openai-schema.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { openAiAdapter } from './openai.adapter.js';
import { openAiDialect } from './openai.dialect.js';

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

  it('with an error and status 200 throws that error', () => {
    const body = { error: { message: 'slow down', code: 429 } };
    expect(() => adapter.fromResponse(body, call)).toThrow(expect.objectContaining({ status: 429 }));
  });
});
