import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { answerOfStream } from '../../../../test/support/client-answer.js';
import { providerCall } from '../../../../test/support/provider-call.js';
import type { JsonObject } from '../../contract/json.js';
import { anthropicAdapter } from './anthropic.adapter.js';
import { toUsage } from './response.js';

const adapter = anthropicAdapter;
const call = providerCall({ stream: true });
const tool = (more: JsonObject = {}) => ({ type: 'tool_use', id: 'a', name: 'f', input: { x: 1 }, ...more });

/** The finish reasons of the same answer, whole and streamed. */
async function finishes(stop_reason: string, ...content: JsonObject[]): Promise<unknown[]> {
  const whole = adapter.fromResponse({ type: 'message', content, stop_reason }, call);
  const events: JsonObject[] = [
    { type: 'message_start', message: { usage: { input_tokens: 5 } } },
    ...content.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  const framed = events.map((event) => ({ event: String(event.type), data: JSON.stringify(event) }));
  const chunks = await lastValueFrom(from(framed).pipe(adapter.fromStream(call), toArray()));
  return [whole.choices[0]?.finish_reason, answerOfStream(chunks).choices[0]?.finish];
}

describe('the finish reason', () => {
  it.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content_filter'],
    ['tool_use', 'stop'],
    ['unheard_of', 'stop'],
  ])('the finish reason of an answer without tool calls that ends with %s is %s', async (reason, finish) => {
    expect(await finishes(reason)).toEqual([finish, finish]);
  });

  it.each([
    ['tool_use', 'tool_calls'],
    ['end_turn', 'tool_calls'],
    ['stop_sequence', 'tool_calls'],
    ['max_tokens', 'length'],
    ['refusal', 'content_filter'],
  ])('the finish reason of an answer that calls a tool and ends with %s is %s', async (reason, finish) => {
    expect(await finishes(reason, tool())).toEqual([finish, finish]);
    expect(await finishes(reason, tool({ caller: { type: 'direct' } }))).toEqual([finish, finish]);
  });

  it.each([
    ['tool_use', 'tool_calls'],
    ['end_turn', 'stop'],
  ])('the finish reason of an answer whose code called a tool and that ends with %s is %s', async (reason, finish) => {
    const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' };
    expect(await finishes(reason, tool({ caller }), { type: 'text', text: 'Done.' })).toEqual([finish, finish]);
  });
});

const totals = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 5, cache_creation_input_tokens: 0 };

it('the usage of a compaction is added to the totals, which lack it', () => {
  const compaction = {
    type: 'compaction',
    ...{ input_tokens: 180_000, output_tokens: 3500, cache_read_input_tokens: 10, cache_creation_input_tokens: 40 },
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 30 },
  };
  const iterations = [compaction, { type: 'message', ...totals }];
  expect(toUsage({ ...totals, iterations })).toEqual({
    prompt_tokens: 100 + 5 + 180_000 + 10 + 40,
    completion_tokens: 3520,
    total_tokens: 183_675,
    prompt_tokens_details: { cached_tokens: 15, cache_write_tokens: 40, cache_write_1h_tokens: 30 },
  });
});

it('other iterations are part of the totals', () => {
  const iterations = ['message', 'fallback_message'].map((type) => ({ type, ...totals }));
  expect(toUsage({ ...totals, iterations })).toEqual(toUsage(totals));
  expect(toUsage({ ...totals, iterations: 'x' })).toEqual(toUsage(totals));
});
