import { beforeAll, describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { awsEvent } from './support/aws-event-stream.js';
import { ResponsesTest } from './support/responses-test.js';
import { chunk, head, json, lastChunk, type Script, sse } from './support/script.js';

type Input = OpenAI.Responses.ResponseInput;

/** An upstream that thinks, says something, and calls a tool; then, when it has the result, thinks and calls again. */
interface Thinker {
  turn(signature: string, callId: string, streamed: boolean): Script;
  /** The signatures in a request, in the order of the conversation. */
  signaturesIn(body: string): string[];
}

const allOf = (pattern: RegExp) => (body: string) => [...body.matchAll(pattern)].map(([, found = '']) => found);

const claude: Thinker = {
  turn(signature, id, streamed) {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature };
    const tool = { type: 'tool_use', id, name: 'look', input: { at: id } };
    const usage = { input_tokens: 9, output_tokens: 5 };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'c', stop_reason: null, usage };
    if (!streamed) {
      const content = [thinking, { type: 'text', text: 'Wait.' }, tool];
      return json(200, { ...message, content, stop_reason: 'tool_use' });
    }
    const block = (index: number, start: object, ...deltas: object[]) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
    const events = [
      { type: 'message_start', message: { ...message, content: [] } },
      ...block(
        0,
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'thinking_delta', thinking: 'Hm.' },
        { type: 'signature_delta', signature },
      ),
      ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Wait.' }),
      ...block(2, { ...tool, input: {} }, { type: 'input_json_delta', partial_json: `{"at":"${id}"}` }),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ];
    return sse(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
      { done: false },
    );
  },
  signaturesIn: allOf(/"signature":"([^"]+)"/g),
};

const gemini: Thinker = {
  turn(signature, id, streamed) {
    const parts = [
      { text: 'Hm.', thought: true },
      { text: 'Wait.' },
      { functionCall: { id, name: 'look', args: { at: id } }, thoughtSignature: signature },
    ];
    const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 };
    const answer = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata,
    };
    return streamed ? sse([answer], { done: false }) : json(200, answer);
  },
  signaturesIn: allOf(/"thoughtSignature":"([^"]+)"/g),
};

const bedrock: Thinker = {
  turn(signature, toolUseId, streamed) {
    const usage = { inputTokens: 9, outputTokens: 5, totalTokens: 14 };
    if (!streamed) {
      const content = [
        { reasoningContent: { reasoningText: { text: 'Hm.', signature } } },
        { text: 'Wait.' },
        { toolUse: { toolUseId, name: 'look', input: { at: toolUseId } } },
      ];
      return json(200, { output: { message: { role: 'assistant', content } }, stopReason: 'tool_use', usage });
    }
    const delta = (contentBlockIndex: number, delta: object) =>
      awsEvent('contentBlockDelta', { contentBlockIndex, delta });
    const stop = (contentBlockIndex: number) => awsEvent('contentBlockStop', { contentBlockIndex });
    const events = [
      awsEvent('messageStart', { role: 'assistant' }),
      delta(0, { reasoningContent: { text: 'Hm.' } }),
      delta(0, { reasoningContent: { signature } }),
      stop(0),
      delta(1, { text: 'Wait.' }),
      stop(1),
      awsEvent('contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId, name: 'look' } } }),
      delta(2, { toolUse: { input: `{"at":"${toolUseId}"}` } }),
      stop(2),
      awsEvent('messageStop', { stopReason: 'tool_use' }),
      awsEvent('metadata', { usage }),
    ];
    const headers = { 'content-type': 'application/vnd.amazon.eventstream', 'transfer-encoding': 'chunked' };
    return [head(200, headers), ...events.map(chunk), lastChunk()];
  },
  signaturesIn: allOf(/"signature":"([^"]+)"/g),
};

const openai: Thinker = {
  turn(encrypted_content, call_id, streamed) {
    const output = [
      { type: 'reasoning', id: `rs_${call_id}`, summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content },
      {
        type: 'function_call',
        id: `fc_${call_id}`,
        call_id,
        name: 'look',
        arguments: `{"at":"${call_id}"}`,
        status: 'completed',
      },
    ];
    const usage = { input_tokens: 9, output_tokens: 5, total_tokens: 14 };
    const response = {
      id: 'resp_up',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'up',
      output,
      usage,
    };
    if (!streamed) return json(200, response);
    const items = output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]);
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...items,
      { type: 'response.completed', response },
    ].map((event, sequence_number) => ({ ...event, sequence_number }));
    return sse(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
      { done: false },
    );
  },
  signaturesIn: allOf(/"encrypted_content":"([^"]+)"/g),
};

const THINKERS = { claude, gemini, bedrock, openai };
const SIGNATURES = ['c2lnLTE=', 'c2lnLTI='];

describe('reasoning goes back to its provider turn by turn', () => {
  let api: ResponsesTest;
  beforeAll(async () => {
    api = await ResponsesTest.start();
  });

  const request = {
    reasoning: { effort: 'high' as const, summary: 'auto' as const },
    include: ['reasoning.encrypted_content' as const],
    tools: [{ type: 'function' as const, name: 'look', parameters: { type: 'object' }, strict: false }],
  };

  /** One answer of the model, and the result of its call. */
  async function turn(model: keyof typeof THINKERS, input: Input, at: number, streamed: boolean): Promise<Input> {
    const callId = `call_${at}`;
    api.upstream.enqueue(THINKERS[model].turn(SIGNATURES[at] ?? '', callId, streamed));
    const requested = { ...request, model, input };
    const { output } = await (streamed
      ? api.client.responses.stream(requested).finalResponse()
      : api.client.responses.create(requested));
    const types = output.map(({ type }) => type);
    expect(types.indexOf('reasoning')).toBe(0);
    expect(output.at(-1)).toMatchObject({ type: 'function_call', name: 'look', arguments: `{"at":"${callId}"}` });
    expect(output[0]).toMatchObject({ summary: [{ type: 'summary_text', text: 'Hm.' }] });
    const call = output.at(-1) as OpenAI.Responses.ResponseFunctionToolCall;
    const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'seen' };
    return [...input, ...(output as Input), result];
  }

  const question: Input = [{ role: 'user', content: 'Look around.' }];
  const cases = Object.keys(THINKERS).flatMap((model) => [true, false].map((streamed) => [model, streamed] as const));

  it.each(cases as [keyof typeof THINKERS, boolean][])('%s, streamed: %s', async (model, streamed) => {
    const { signaturesIn } = THINKERS[model];
    const first = await turn(model, question, 0, streamed);
    expect(signaturesIn(api.upstream.requests.at(-1)?.body ?? '')).toEqual([]);
    const second = await turn(model, first, 1, streamed);
    expect(signaturesIn(api.upstream.requests.at(-1)?.body ?? '')).toEqual(SIGNATURES.slice(0, 1));
    await turn(model, second, 0, streamed);
    expect(signaturesIn(api.upstream.requests.at(-1)?.body ?? '')).toEqual(SIGNATURES);
  });

  it('another provider does not get it, natively or translated', async () => {
    const fromClaude = await turn('claude', question, 0, true);
    const fromOpenAi = await turn('openai', fromClaude, 1, true);
    expect(api.upstream.requests.at(-1)?.body).not.toContain('gw1_');
    await turn('gemini', fromOpenAi, 0, false);
    const { body = '' } = api.upstream.requests.at(-1) ?? {};
    expect(SIGNATURES.filter((signature) => body.includes(signature))).toEqual([]);
  });
});
