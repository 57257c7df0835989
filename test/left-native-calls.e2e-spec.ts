import { describe, expect, it } from '@jest/globals';
import { API_CASES, type ApiCase, eventOf, NativeTest, streamOf } from './support/native-test.js';
import { hang } from './support/script.js';

const WORDS = 'The file is changed in the third line. '.repeat(20);
const MIN_TOKENS = 150;

const test = await NativeTest.start();

const caseOf = (api: string) => API_CASES.find(([name]) => name === api)?.[1] as ApiCase;
const messageStart = eventOf('message_start', {
  message: {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'c', content: [], stop_reason: null },
    usage: { input_tokens: 10, output_tokens: 1 },
  },
});
const created = eventOf('response.created', { response: { id: 'resp_1', status: 'in_progress', output: [] } });
const at = { item_id: 'i', output_index: 0, sequence_number: 1 };

describe('a native answer that its caller leaves is charged for all that came', () => {
  it.each<[what: string, api: string, events: string[]]>([
    [
      "the input of the provider's tool",
      'messages',
      [
        messageStart,
        eventOf('content_block_start', {
          index: 0,
          content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        }),
        eventOf('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: WORDS } }),
      ],
    ],
    [
      'a delta of an unknown type',
      'messages',
      [
        messageStart,
        eventOf('content_block_start', { index: 0, content_block: { type: 'new_block' } }),
        eventOf('content_block_delta', { index: 0, delta: { type: 'new_delta', parts: [{ words: WORDS }] } }),
      ],
    ],
    [
      'a patch',
      'responses',
      [created, eventOf('response.apply_patch_call_operation_diff.delta', { ...at, delta: WORDS })],
    ],
    ['code', 'responses', [created, eventOf('response.code_interpreter_call_code.delta', { ...at, delta: WORDS })]],
    [
      'the input of a custom tool',
      'responses',
      [
        created,
        eventOf('response.output_item.added', {
          output_index: 0,
          item: { type: 'custom_tool_call', id: 'i', call_id: 'c', name: 'exec', input: '' },
        }),
        eventOf('response.custom_tool_call_input.delta', { ...at, delta: WORDS }),
      ],
    ],
    [
      'a command that comes whole',
      'responses',
      [
        created,
        eventOf('response.output_item.done', {
          output_index: 0,
          item: { type: 'local_shell_call', id: 'i', action: { type: 'exec', command: ['echo', WORDS] } },
        }),
      ],
    ],
    [
      'the input of the provider’s tool that comes whole',
      'messages',
      [
        messageStart,
        eventOf('content_block_start', {
          index: 0,
          content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: WORDS } },
        }),
      ],
    ],
    ['sound', 'responses', [created, eventOf('response.audio.delta', { ...at, delta: 'A'.repeat(40_000) })]],
    [
      'an event of an unknown type',
      'responses',
      [created, eventOf('response.new_thing.delta', { ...at, delta: { words: WORDS } })],
    ],
  ])('%s at %s', async (_, api, events) => {
    const one = caseOf(api);
    test.upstream.enqueue(streamOf(events, hang()));
    const abort = new AbortController();
    const priced = { model: `${one.model}-priced`, stream: true };
    const response = await test.ask(one, priced, { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    const row = await test.row(response);
    expect(row).toMatchObject({ status: 'aborted' });
    expect(Number(row.output_tokens)).toBeGreaterThan(MIN_TOKENS);
  });

  it('once, if it comes in deltas and whole, and without what the provider has found', async () => {
    const one = caseOf('responses');
    const patch = { type: 'apply_patch_call', id: 'i', operation: { type: 'update_file', diff: WORDS } };
    const search = { type: 'web_search_call', id: 'w', action: { type: 'search', sources: [{ url: WORDS }] } };
    const events = [
      created,
      eventOf('response.apply_patch_call_operation_diff.delta', { ...at, delta: WORDS }),
      eventOf('response.output_item.done', { output_index: 0, item: patch }),
      eventOf('response.output_item.done', { output_index: 1, item: search }),
    ];
    test.upstream.enqueue(streamOf(events, hang()));
    const abort = new AbortController();
    const response = await test.ask(one, { model: `${one.model}-priced`, stream: true }, { signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    const output = Number((await test.row(response)).output_tokens);
    expect(output).toBeGreaterThan(MIN_TOKENS);
    expect(output).toBeLessThan(MIN_TOKENS * 1.5);
  });
});
