import { chunkOf, USAGE } from './chat-answers.js';
import { chunk, head, json, lastChunk, type Script, sse } from './script.js';

/** An upstream's answer with a text at one position, whole and in pieces. */
export interface AnswerAt {
  whole(text: string): Script;
  stream(pieces: readonly string[]): Script;
}

const COMMON = { id: 'chatcmpl-upstream', created: 1_700_000_000, model: 'up' };

function chatAnswer(fields: (text: string) => object, first: object = {}, index = 0): AnswerAt {
  const isLegacy = 'function_call' in first;
  const finish = 'function' in first ? 'tool_calls' : isLegacy ? 'function_call' : 'stop';
  const call = 'function' in first ? { tool_calls: [{ index: 0, id: 'call_1', ...first }] } : undefined;
  const choices = (text: string) => {
    const message = { role: 'assistant', content: null, ...fields(text) } as { tool_calls?: { function: object }[] };
    if (call)
      message.tool_calls = [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: text } }] as never;
    const one = { index, message, finish_reason: finish, logprobs: null };
    return index === 0 ? [one] : [{ ...one, index: 0, message: { role: 'assistant', content: 'One.' } }, one];
  };
  const at = (delta: object, reason: string | null = null) => ({
    ...chunkOf(delta),
    choices: [{ index, delta, finish_reason: reason, logprobs: null }],
  });
  return {
    whole: (text) => json(200, { ...COMMON, object: 'chat.completion', choices: choices(text), usage: USAGE }),
    stream: (pieces) =>
      sse([
        chunkOf({ role: 'assistant', content: '' }),
        ...(call ? [at(call)] : isLegacy ? [at(first)] : []),
        ...pieces.map((piece) => at(fields(piece))),
        at({}, finish),
        ...(index > 0 ? [chunkOf({}, 'stop')] : []),
        { ...COMMON, object: 'chat.completion.chunk', choices: [], usage: USAGE },
      ]),
  };
}

const CALLED = { function_call: { name: 'f', arguments: '' } };
const CALL = { type: 'function', function: { name: 'f', arguments: '' } };

/** Answers of an upstream with Chat Completions. */
export const CHAT_ANSWERS: Readonly<Record<string, AnswerAt>> = {
  content: chatAnswer((content) => ({ content })),
  reasoning: chatAnswer((reasoning_content) => ({ reasoning_content })),
  'tool arguments': chatAnswer((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] }), CALL),
  refusal: chatAnswer((refusal) => ({ refusal })),
};

/** Those that Chat Completions pass on as they are. */
export const ONLY_CHAT_ANSWERS: Readonly<Record<string, AnswerAt>> = {
  'the transcript of sound': chatAnswer((transcript) => ({
    audio: { id: 'audio_1', data: 'AAAA', expires_at: 1, transcript },
  })),
  'the second choice': chatAnswer((content) => ({ content }), {}, 1),
  'arguments of a function call': {
    whole: chatAnswer((text) => ({ function_call: { name: 'f', arguments: text } }), CALLED).whole,
    stream: chatAnswer((text) => ({ function_call: { arguments: text } }), CALLED).stream,
  },
};

const textChoice = (text: string, index: number, finish_reason: string | null) => ({
  ...COMMON,
  object: 'text_completion',
  choices: [{ text, index, logprobs: null, finish_reason }],
});

const textAnswer = (index: number): AnswerAt => ({
  whole: (text) => {
    const choices = [
      ...(index > 0 ? textChoice('One.', 0, 'stop').choices : []),
      ...textChoice(text, index, 'stop').choices,
    ];
    return json(200, { ...textChoice('', 0, null), choices, usage: USAGE });
  },
  stream: (pieces) =>
    sse([
      ...pieces.map((piece) => textChoice(piece, index, null)),
      ...Array.from({ length: index + 1 }, (_, at) => textChoice('', at, 'stop')),
      { ...textChoice('', 0, null), choices: [], usage: USAGE },
    ]),
});

export const TEXT_ANSWERS: Readonly<Record<string, AnswerAt>> = {
  text: textAnswer(0),
  'the second choice': textAnswer(1),
};

function typed(events: readonly { readonly type: string }[]): Script {
  return [
    head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }),
    ...events.map((event) => chunk(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)),
    lastChunk(),
  ];
}

interface ResponsesText {
  /** The item with the text, and the parts in it. */
  item(text: string): object;
  /** `response.output_text` */
  readonly event: string;
  /** The field of the event that ends the text. */
  readonly field: string;
  /** Of a part: the name of its index and its list, for example `content`. */
  readonly list?: 'content' | 'summary';
}

function responsesAnswer({ item, event, field, list }: ResponsesText): AnswerAt {
  const usage = {
    ...{ input_tokens: 11, input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens: 3, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 14 },
  };
  const response = (status: string, output: object[]) => ({
    ...{ id: 'resp_up', object: 'response', created_at: 1_700_000_000, status, error: null, incomplete_details: null },
    ...{ model: 'up', output, store: false, usage: status === 'completed' ? usage : null },
  });
  const place = { item_id: 'item_up', output_index: 0, ...(list && { [`${list}_index`]: 0 }) };
  const part = (text: string) => (item(text) as Record<string, object[]>)[list as string]?.[0] as object;
  const name = list === 'summary' ? 'response.reasoning_summary_part' : 'response.content_part';
  return {
    whole: (text) => json(200, response('completed', [item(text)])),
    stream: (pieces) => {
      const text = pieces.join('');
      const done = { ...item(text), status: 'completed' };
      const empty = list ? { ...item(''), status: 'in_progress', [list]: [] } : { ...item(''), status: 'in_progress' };
      const events = [
        { type: 'response.created', response: response('in_progress', []) },
        { type: 'response.output_item.added', output_index: 0, item: empty },
        ...(list ? [{ type: `${name}.added`, ...place, part: part('') }] : []),
        ...pieces.map((delta) => ({ type: `${event}.delta`, ...place, delta })),
        { type: `${event}.done`, ...place, [field]: text },
        ...(list ? [{ type: `${name}.done`, ...place, part: part(text) }] : []),
        { type: 'response.output_item.done', output_index: 0, item: done },
        { type: 'response.completed', response: response('completed', [done]) },
      ];
      return typed(events.map((one, sequence_number) => ({ ...one, sequence_number })));
    },
  };
}

const message = (content: object[]) => ({ id: 'item_up', type: 'message', role: 'assistant', content });
const called = (type: string, fields: object) => ({ id: 'item_up', type, call_id: 'call_1', name: 'f', ...fields });

/** Answers of the Responses API. */
export const RESPONSES_ANSWERS: Readonly<Record<string, AnswerAt>> = {
  text: responsesAnswer({
    item: (text) => message([{ type: 'output_text', text, annotations: [] }]),
    ...{ event: 'response.output_text', field: 'text', list: 'content' },
  }),
  refusal: responsesAnswer({
    item: (refusal) => message([{ type: 'refusal', refusal }]),
    ...{ event: 'response.refusal', field: 'refusal', list: 'content' },
  }),
  'the summary of reasoning': responsesAnswer({
    item: (text) => ({ id: 'item_up', type: 'reasoning', summary: [{ type: 'summary_text', text }] }),
    ...{ event: 'response.reasoning_summary_text', field: 'text', list: 'summary' },
  }),
  reasoning: responsesAnswer({
    item: (text) => ({ id: 'item_up', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text }] }),
    ...{ event: 'response.reasoning_text', field: 'text', list: 'content' },
  }),
  'tool arguments': responsesAnswer({
    item: (text) => called('function_call', { arguments: text }),
    ...{ event: 'response.function_call_arguments', field: 'arguments' },
  }),
  'the input of a custom tool': responsesAnswer({
    item: (input) => called('custom_tool_call', { input }),
    ...{ event: 'response.custom_tool_call_input', field: 'input' },
  }),
  'the code of an interpreter': responsesAnswer({
    item: (code) => ({ id: 'item_up', type: 'code_interpreter_call', container_id: 'c', code, outputs: [] }),
    ...{ event: 'response.code_interpreter_call_code', field: 'code' },
  }),
};

function messagesAnswer(block: (text: string) => object, empty: object, delta: (text: string) => object): AnswerAt {
  const usage = { input_tokens: 11, output_tokens: 3 };
  const answer = (content: object[], stop_reason: string | null) => ({
    ...{
      id: 'msg_up',
      type: 'message',
      role: 'assistant',
      model: 'up',
      content,
      stop_reason,
      stop_sequence: null,
      usage,
    },
  });
  return {
    whole: (text) => json(200, answer([block(text)], 'end_turn')),
    stream: (pieces) =>
      typed([
        { type: 'message_start', message: answer([], null) } as never,
        { type: 'content_block_start', index: 0, content_block: empty } as never,
        ...pieces.map((piece) => ({ type: 'content_block_delta', index: 0, delta: delta(piece) })),
        { type: 'content_block_stop', index: 0 } as never,
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage } as never,
        { type: 'message_stop' },
      ]),
  };
}

const USE = { type: 'tool_use', id: 'toolu_1', name: 'f' };

/** Answers of the Messages API. */
export const MESSAGES_ANSWERS: Readonly<Record<string, AnswerAt>> = {
  text: messagesAnswer(
    (text) => ({ type: 'text', text }),
    { type: 'text', text: '' },
    (text) => ({ type: 'text_delta', text }),
  ),
  thinking: messagesAnswer(
    (thinking) => ({ type: 'thinking', thinking, signature: 'c2ln' }),
    { type: 'thinking', thinking: '', signature: '' },
    (thinking) => ({ type: 'thinking_delta', thinking }),
  ),
  'tool input': messagesAnswer(
    (text) => ({ ...USE, input: JSON.parse(text) }),
    { ...USE, input: {} },
    (partial_json) => ({ type: 'input_json_delta', partial_json }),
  ),
};

/** The texts of a stream, those of pieces joined, by their place in events of one kind. */
export function textsOfStream(body: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, (texts.get(path) ?? '') + value);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}.${key}`);
  };
  for (const [, data = ''] of body.matchAll(/^data: (\{.*)$/gm)) {
    const event = JSON.parse(data) as { type?: string };
    walk(event, event.type ?? '');
  }
  return texts;
}
