import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  ANSWER,
  CHAT_TOOLS,
  ClaudeTest,
  MESSAGES,
  MESSAGES_TOOLS,
  QUESTION,
  RESPONSES_TOOLS,
} from './support/claude-test.js';
import { json, pause, sse } from './support/script.js';

const claude = await ClaudeTest.start();
beforeEach(() => {
  claude.upstream.refusals.length = 0;
});

const chat = (fields: object) => claude.chat(fields);
const responses = (fields: object) => claude.responses(fields);
const native = (fields: object, headers = {}) => claude.messages(fields, headers);

describe.each([false, true])('a conversation whose beginning changed; stream: %s', (stream) => {
  const result = 'Sunny in Paris.';
  const refused = [expect.stringContaining('The block is bound to a different conversation.')];

  it('continues in chat without the thoughts, which are named', async () => {
    const first = await chat({
      model: 'sonnet',
      tools: CHAT_TOOLS,
      tool_choice: 'required',
    });
    const [{ message }] = JSON.parse(first.text).choices;
    expect(message.tool_calls[0].extra_content.anthropic.thinking_blocks).toHaveLength(1);
    const tool = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: result };
    const { status, text, ignored } = await chat({
      model: 'sonnet',
      stream,
      messages: [...MESSAGES, message, tool],
      tools: CHAT_TOOLS,
    });
    expect({ status, ignored, refusals: claude.upstream.refusals }).toEqual({
      status: 200,
      ignored: ['messages[1].tool_calls[0].extra_content'],
      refusals: refused,
    });
    expect(text).toContain(ANSWER.slice(0, 5));
  });

  it('continues in Responses without the thoughts', async () => {
    const input = [{ role: 'user', content: QUESTION }];
    const include = ['reasoning.encrypted_content'];
    const first = await responses({ model: 'sonnet', input, include, tools: RESPONSES_TOOLS });
    const { output } = JSON.parse(first.text);
    const call = output.find(({ type }: { type: string }) => type === 'function_call');
    const { status, text } = await responses({
      model: 'sonnet',
      stream,
      instructions: 'Be brief.',
      input: [...input, ...output, { type: 'function_call_output', call_id: call.call_id, output: result }],
      include,
      tools: RESPONSES_TOOLS,
    });
    expect({ status, refusals: claude.upstream.refusals }).toEqual({ status: 200, refusals: refused });
    expect(text).toContain(ANSWER.slice(0, 5));
  });

  it('continues natively without the thoughts, which are named', async () => {
    const first = await native({ model: 'sonnet', tools: MESSAGES_TOOLS });
    const { content } = JSON.parse(first.text);
    const id = content.find(({ type }: { type: string }) => type === 'tool_use').id;
    const { status, text, ignored } = await native({
      model: 'sonnet',
      stream,
      system: 'Be brief.',
      tools: MESSAGES_TOOLS,
      messages: [
        ...MESSAGES,
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
      ],
    });
    expect({ status, ignored, refusals: claude.upstream.refusals }).toEqual({
      status: 200,
      ignored: ['messages[1].content[0]'],
      refusals: refused,
    });
    expect(text).toContain(ANSWER.slice(0, 5));
  });
});

describe('silent thinking of Claude 5.5', () => {
  it.each(['opus', 'sonnet', 'opus-on-bedrock'])(
    'shows nothing empty to a client of chat or Responses: %s',
    async (model) => {
      for (const stream of [false, true]) {
        const { text } = await chat({ model, stream, tools: CHAT_TOOLS });
        expect(text).toContain('weather');
        expect(text).not.toContain('"reasoning_content":""');
        const response = await responses({ model, stream, tools: RESPONSES_TOOLS });
        expect(response.text).toContain('weather');
        expect(response.text).not.toMatch(/"type":"reasoning"|reasoning_summary/);
      }
    },
  );
});

describe.each([false, true])('an answer that Claude ends; stream: %s', (stream) => {
  const usage = { input_tokens: 12, output_tokens: 3 };
  /** An answer with this stop reason, whole or streamed. */
  function endedBy(stop_reason: string) {
    const head = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-5-5',
      stop_sequence: null,
      usage,
    };
    const text = { type: 'text', text: 'It is' };
    if (!stream) return json(200, { ...head, content: [text], stop_reason });
    const events = [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: text },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    return sse(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
      { done: false },
    );
  }

  it.each([
    ['model_context_window_exceeded', 'length', 'max_output_tokens'],
    ['refusal', 'content_filter', 'content_filter'],
  ])(
    'an answer that Claude ends with %s is %s in chat, incomplete in Responses, and unchanged in Messages',
    async (reason, finish, incomplete) => {
      claude.upstream.server.enqueue(endedBy(reason));
      expect((await chat({ model: 'haiku', stream })).text).toContain(`"finish_reason":"${finish}"`);
      claude.upstream.server.enqueue(endedBy(reason));
      expect((await responses({ model: 'haiku', stream })).text).toContain(
        `"incomplete_details":{"reason":"${incomplete}"}`,
      );
      claude.upstream.server.enqueue(endedBy(reason));
      expect((await native({ model: 'haiku', stream })).text).toContain(`"stop_reason":"${reason}"`);
    },
  );
});

it.each([
  ['chat', chat, ': '],
  ['Responses', responses, ': '],
])('a client of %s gets heartbeats while Claude thinks without showing it', async (_, call, heartbeat) => {
  const delta = (fields: object) => ({ type: 'content_block_delta', index: 0, delta: fields });
  const event = (one: { type: string }) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`;
  const usage = { input_tokens: 12, output_tokens: 3 };
  const silence = Array.from({ length: 8 }, () => [
    pause(50),
    event(delta({ type: 'thinking_delta', thinking: '' })),
  ]).flat();
  const thinking = { type: 'thinking', thinking: '', signature: '' };
  claude.upstream.server.enqueue(
    sse(
      [
        event({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } } as {
          type: string;
        }),
        event({ type: 'content_block_start', index: 0, content_block: thinking } as { type: string }),
        ...silence,
        event(delta({ type: 'signature_delta', signature: 'sig-1' })),
        event({ type: 'content_block_stop', index: 0 } as { type: string }),
        event({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: ANSWER } } as {
          type: string;
        }),
        event({ type: 'content_block_stop', index: 1 } as { type: string }),
        event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage } as { type: string }),
        event({ type: 'message_stop' }),
      ],
      { done: false },
    ),
  );
  const { text } = await call({ model: 'opus', stream: true });
  expect(text.split('\n').filter((line) => line.startsWith(heartbeat)).length).toBeGreaterThan(1);
  expect(text).toContain(ANSWER);
  expect(text).not.toMatch(/"reasoning_content"|"type":"reasoning"/);
});
