import { describe, expect, it } from '@jest/globals';
import { from, lastValueFrom, toArray } from 'rxjs';
import { providerCall } from '../../../../test/support/provider-call.js';
import { openAiAdapter } from '../openai/openai.adapter.js';
import { vllmDialect } from './vllm.dialect.js';

const adapter = openAiAdapter(vllmDialect);
const call = providerCall();

function chunksOf(event: object) {
  return lastValueFrom(from([{ event: '', data: JSON.stringify(event) }]).pipe(adapter.fromStream(call), toArray()));
}

describe('vLLM', () => {
  it('gets its own sampling fields, but no fields that control the server', () => {
    const { body } = adapter.toRequest(
      providerCall({
        top_k: 5,
        chat_template_kwargs: { enable_thinking: false },
        kv_transfer_params: {},
        priority: -1,
      }),
    );
    expect(body).toMatchObject({ top_k: 5, chat_template_kwargs: { enable_thinking: false } });
    expect(body).not.toHaveProperty('kv_transfer_params');
    expect(body).not.toHaveProperty('priority');
  });

  it.each([
    ['END', { stop_reason: 'END' }],
    ['other', {}],
    [128009, {}],
    [null, {}],
  ])('reports the stop sequence %j of an answer if the request has it', async (reported, expected) => {
    const stopping = providerCall({ stop: ['END', 'STOP'] });
    const end = { index: 0, finish_reason: 'stop', stop_reason: reported };
    const whole = adapter.fromResponse({ choices: [{ ...end, message: { content: 'a' } }] }, stopping).choices[0];
    const events = from([{ event: '', data: JSON.stringify({ choices: [{ ...end, delta: { content: 'a' } }] }) }]);
    const chunks = await lastValueFrom(events.pipe(adapter.fromStream(stopping), toArray()));
    for (const choice of [whole, chunks.at(-1)?.choices[0]]) {
      expect({ ...(choice?.stop_reason && { stop_reason: choice.stop_reason }) }).toEqual(expected);
    }
  });

  it('vLLM that aborts an answer has failed', async () => {
    const aborted = { choices: [{ index: 0, delta: {}, finish_reason: 'abort' }] };
    await expect(chunksOf(aborted)).rejects.toMatchObject({ status: 502 });
  });

  it('reports an error in a stream in either of its formats', async () => {
    const error = { object: 'error', message: 'Too long.', type: 'BadRequestError', param: null, code: 400 };
    await expect(chunksOf(error)).rejects.toMatchObject({ status: 400, body: { message: 'Too long.' } });
    await expect(chunksOf({ error })).rejects.toMatchObject({ status: 400, body: { message: 'Too long.' } });
    expect(() => adapter.fromResponse(error, call)).toThrow('Too long.');
  });
});
