import { describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { chunkOf, refusal } from './support/chat-answers.js';
import { eventsIn, ResponsesFollower } from './support/responses-events.js';
import { ResponsesTest } from './support/responses-test.js';
import { json, sse } from './support/script.js';

const model = 'chat';

const api = await ResponsesTest.start({
  plain: 'capabilities: [], targets: [{ upstream: chat, model: m }]',
  seeing: 'capabilities: [image_input, tools, reasoning], targets: [{ upstream: claude, model: claude-haiku-4-5 }]',
});
const client = api.client;

describe('errors at the Responses API', () => {
  it.each<[number, object, string | null]>([
    [400, { input: [{ role: 'robot', content: 'x' }] }, 'input[0].role'],
    [400, { previous_response_id: 'resp_1' }, 'previous_response_id'],
    [400, { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }, 'tools[0].type'],
    [
      400,
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file-1' }] }] },
      'input[0].content[0].file_id',
    ],
    [404, { model: 'unknown' }, 'model'],
  ])('%d: %j', async (status, fields, param) => {
    const refused = client.responses.create({
      model,
      input: 'Hi',
      ...fields,
    } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
    await expect(refused).rejects.toMatchObject({ status, param });
  });

  const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
  const tool = { type: 'function', name: 'f' };

  it.each<[string, string, object]>([
    [
      'input[1].content[1]',
      'plain',
      {
        input: [
          { role: 'user', content: 'Hi' },
          { role: 'user', content: [{ type: 'input_text', text: 'a' }, image] },
        ],
      },
    ],
    ['reasoning.effort', 'plain', { reasoning: { effort: 'low' } }],
    ['tools', 'plain', { tools: [tool] }],
    [
      'input[1].output[0]',
      'plain',
      {
        input: [
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: [image] },
        ],
      },
    ],
    ['include', 'seeing', { include: ['message.output_text.logprobs'] }],
    [
      'input[0].content[0].file_data',
      'seeing',
      { input: [{ role: 'user', content: [{ type: 'input_file', filename: 'a.xyz', file_data: 'AAAA' }] }] },
    ],
  ])('errors at the Responses API of the inner form name the client’s field: %s', async (param, model, fields) => {
    const refused = client.responses.create({
      model,
      input: 'Hi',
      ...fields,
    } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
    await expect(refused).rejects.toMatchObject({ status: 400, param });
  });

  it('ignored parameters are named as the client wrote them', async () => {
    api.upstream.enqueue(
      json(200, {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'Hi' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    );
    const { response } = await client.responses
      .create({ model: 'seeing', input: 'Hi', text: { verbosity: 'low' }, truncation: 'auto' })
      .withResponse();
    expect(response.headers.get('x-gateway-ignored-parameters')).toBe('truncation, text.verbosity');
  });

  it('errors at the Responses API of an upstream, before the first event, are a status', async () => {
    api.upstream.enqueue(refusal(503));
    await expect(client.responses.create({ model, input: 'Hi', stream: true })).rejects.toMatchObject({ status: 503 });
  });

  it('errors at the Responses API within a stream are an error event, then a failed response', async () => {
    api.upstream.enqueue(sse([chunkOf({ content: 'Hel' })]));
    const response = await api.ask({ stream: true });
    expect(response.status).toBe(200);
    const events = new ResponsesFollower(eventsIn(await response.text()));
    expect(events.faults).toEqual([]);
    expect(events.events.at(-2)).toMatchObject({ type: 'error', code: 'upstream_incomplete' });
    expect(events.response).toMatchObject({ status: 'failed', error: { code: 'server_error' } });
  });

  it('errors at the Responses API within a stream reach the SDK', async () => {
    api.upstream.enqueue(sse([chunkOf({ content: 'Hel' })]));
    const reading = client.responses.stream({ model, input: 'Hi' }).finalResponse();
    await expect(reading).rejects.toMatchObject({ code: 'upstream_incomplete' });
  });

  it('state that no response is stored', async () => {
    const none = { status: 404, message: expect.stringContaining('stores no responses') };
    await expect(client.responses.retrieve('resp_1')).rejects.toMatchObject(none);
    await expect(client.responses.delete('resp_1')).rejects.toMatchObject(none);
    await expect(client.responses.cancel('resp_1')).rejects.toMatchObject(none);
    await expect(client.responses.inputItems.list('resp_1')).rejects.toMatchObject(none);
  });
});
