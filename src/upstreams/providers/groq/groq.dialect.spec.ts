import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { providerCall } from '../../../../test/support/provider-call.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { groqDialect } from './groq.dialect.js';

const adapter = openAiAdapter(groqDialect);
const call = providerCall();

function chunksOf(...events: object[]) {
  const framed = events.map((event) => ({ event: '', data: JSON.stringify(event) }));
  return lastValueFrom(from(framed).pipe(adapter.fromStream(call), toArray()));
}

describe('a stream of Groq', () => {
  it('has its usage in x_groq, and its reasoning in reasoning', async () => {
    const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5, queue_time: 0.1 };
    const chunks = await chunksOf(
      { choices: [{ index: 0, delta: { reasoning: 'Hm', channel: 'analysis' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], x_groq: { id: 'req', usage } },
    );
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', reasoning_content: 'Hm' });
    expect(chunks.at(-1)?.usage).toEqual({ prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 });
  });

  it('a stream of Groq that was stopped early has an error in x_groq', async () => {
    const stopped = { choices: [{ index: 0, delta: {} }], x_groq: { error: 'over_capacity' } };
    await expect(chunksOf(stopped)).rejects.toMatchObject({ status: 502, failure: { message: 'over_capacity' } });
  });
});

it.each([
  ['none', 'none'],
  ['minimal', 'default'],
  ['high', 'default'],
])('sends effort %s to Qwen, which only has on and off, as %s', (reasoning_effort, reported) => {
  const { body } = adapter.toRequest({ ...providerCall({ reasoning_effort }), upstreamModel: 'qwen/qwen3-32b' });
  expect(body.reasoning_effort).toBe(reported);
});

it('an answer of Groq that it does not have the model is not the caller’s fault', () => {
  const error = {
    message: 'The model `llama-3.3-70b-versatile` does not exist or you do not have access to it.',
    type: 'invalid_request_error',
    code: 'model_not_found',
  };
  expect(adapter.toError(404, {}, { error }, call)).toMatchObject({ status: 502, advice: 'other-target' });
});
