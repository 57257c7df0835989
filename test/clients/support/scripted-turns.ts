import { chunkOf, USAGE } from '../../support/chat-answers.js';
import type { ReceivedRequest } from '../../support/received-request.js';
import { json, type Script, sse } from '../../support/script.js';

export interface ToolTurn {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** An answer as each protocol's JSON and as the events of its stream. */
interface Turn {
  readonly whole: object;
  readonly events: readonly (object | string)[];
}

interface NamedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Protocol {
  call(tool: ToolTurn): Turn;
  text(text: string): Turn;
}

const CALL_ID = 'call_1';
const JSON_ANSWER = '{"city":"Paris"}';
const EMBEDDINGS = {
  object: 'list',
  model: 'upstream',
  data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5] }],
  usage: { prompt_tokens: 2, total_tokens: 2 },
};

/** Answers by the path that the gateway calls: first with a tool call, then, after its result, with text. */
export function turnsOf(tool: ToolTurn | null, text: string): (request: ReceivedRequest) => Script {
  return (request) => {
    if (request.path.includes('/embeddings')) return json(200, EMBEDDINGS);
    const protocol = protocolOf(request.path);
    const body = request.json() as { stream?: boolean; tools?: unknown[] };
    const isFirst = tool !== null && (body.tools?.length ?? 0) > 0 && !JSON.stringify(body).includes(CALL_ID);
    const answer = JSON.stringify(body).includes('json_schema') ? JSON_ANSWER : text;
    const { whole, events } = isFirst ? protocol.call(tool) : protocol.text(answer);
    return body.stream ? sse(events, { done: protocol === chat }) : json(200, whole);
  };
}

function protocolOf(path: string): Protocol {
  if (path.includes('/responses')) return responses;
  return path.includes('/messages') ? messages : chat;
}

function chatTurn(message: object, delta: object, finish: string): Turn {
  const { choices: _, ...common } = chunkOf({}) as { choices: unknown };
  const choice = { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finish };
  return {
    whole: { ...common, object: 'chat.completion', choices: [choice], usage: USAGE },
    events: [
      chunkOf({ role: 'assistant', ...delta }),
      chunkOf({}, finish),
      { ...chunkOf({}), choices: [], usage: USAGE },
    ],
  };
}

const chat: Protocol = {
  call: ({ name, input }) => {
    const call = { id: CALL_ID, type: 'function', function: { name, arguments: JSON.stringify(input) } };
    return chatTurn({ tool_calls: [call] }, { tool_calls: [{ index: 0, ...call }] }, 'tool_calls');
  },
  text: (content) => chatTurn({ content }, { content }, 'stop'),
};

function responseOf(status: string, output: readonly object[]): object {
  const usage = {
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 14,
  };
  const common = {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    model: 'upstream',
    parallel_tool_calls: true,
  };
  const none = {
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    tools: [],
    tool_choice: 'auto',
  };
  return { ...common, ...none, status, output, usage: status === 'completed' ? usage : null };
}

/** `empty`: fields of the item before its first delta. */
function responsesTurn(item: object, empty: object, deltas: readonly NamedEvent[]): Turn {
  const whole = responseOf('completed', [item]);
  const begun = responseOf('in_progress', []);
  const events: NamedEvent[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, ...empty, status: 'in_progress' } },
    ...deltas,
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ];
  return { whole, events: events.map((event, index) => named({ ...event, sequence_number: index })) };
}

const responses: Protocol = {
  call: ({ name, input }) => {
    const text = JSON.stringify(input);
    const at = { item_id: 'fc_1', output_index: 0 };
    const item = { id: 'fc_1', type: 'function_call', status: 'completed', call_id: CALL_ID, name, arguments: text };
    return responsesTurn(item, { arguments: '' }, [
      { type: 'response.function_call_arguments.delta', ...at, delta: text },
      { type: 'response.function_call_arguments.done', ...at, name, arguments: text },
    ]);
  },
  text: (text) => {
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
    const part = { type: 'output_text', text, annotations: [], logprobs: [] };
    const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] };
    return responsesTurn(item, { content: [] }, [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      { type: 'response.output_text.delta', ...at, delta: text, logprobs: [] },
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
    ]);
  },
};

function messagesTurn(block: object, begun: object, delta: object, stopReason: string): Turn {
  const usage = { input_tokens: 11, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 3 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'upstream', stop_sequence: null, usage };
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: begun },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ];
  return { whole: { ...message, content: [block], stop_reason: stopReason }, events: events.map(named) };
}

const messages: Protocol = {
  call: ({ name, input }) => {
    const block = { type: 'tool_use', id: CALL_ID, name, input };
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(input) };
    return messagesTurn(block, { ...block, input: {} }, delta, 'tool_use');
  },
  text: (text) =>
    messagesTurn({ type: 'text', text }, { type: 'text', text: '' }, { type: 'text_delta', text }, 'end_turn'),
};

function named(event: NamedEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
