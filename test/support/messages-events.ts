import type { JsonObject } from '../../src/upstreams/contract/json.js';

interface Block extends JsonObject {
  type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  input?: unknown;
}

export interface AccumulatedMessage extends JsonObject {
  content: Block[];
  stop_reason: string | null;
  usage: Record<string, number>;
}

/**
 * The message of a stream in Anthropic's Messages format, as its SDKs accumulate it. Throws if the events break the
 * format's grammar.
 */
export function messageOfEvents(text: string): AccumulatedMessage {
  const events = eventsOf(text).filter(({ type }) => type !== 'ping');
  const [first, ...others] = events;
  const last = others.pop();
  const delta = others.pop();
  if (first?.type !== 'message_start') throw new Error(`begins with ${first?.type}`);
  if (last?.type !== 'message_stop' || delta?.type !== 'message_delta') throw new Error('ends in the wrong way');
  const message = first.message as AccumulatedMessage;
  const inputs = new Map<number, string>();
  let open = -1;
  for (const event of others) {
    const index = Number(event.index);
    if (event.type === 'content_block_start') {
      if (open >= 0 || index !== message.content.length) throw new Error(`block ${index} begins out of turn`);
      open = index;
      message.content.push(event.content_block as Block);
    } else if (index !== open) {
      throw new Error(`${event.type} of block ${index}, while ${open} is open`);
    } else if (event.type === 'content_block_delta') {
      add(message.content[index] as Block, event.delta as JsonObject, inputs, index);
    } else if (event.type === 'content_block_stop') {
      open = -1;
    } else {
      throw new Error(`unexpected ${event.type}`);
    }
  }
  if (open >= 0) throw new Error(`block ${open} does not end`);
  for (const [index, json] of inputs) (message.content[index] as Block).input = inputOf(json);
  Object.assign(message, delta.delta);
  Object.assign(message.usage, delta.usage);
  return message;
}

/** Each event's `event:` line must equal its `type`. */
export function eventsOf(text: string): JsonObject[] {
  const events = text.split('\n\n');
  if (events.pop() !== '') throw new Error('the last event does not end');
  return events.map((event) => {
    const [, name, data] = /^event: (\w+)\ndata: (.+)$/.exec(event) ?? [];
    const value = JSON.parse(data ?? '') as JsonObject;
    if (value.type !== name) throw new Error(`event: ${name} is ${value.type}`);
    return value;
  });
}

const FIELDS: Readonly<Record<string, readonly [block: string, field: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['thinking', 'signature'],
  input_json_delta: ['tool_use', 'partial_json'],
};

function add(block: Block, delta: JsonObject, inputs: Map<number, string>, index: number): void {
  const [type, field] = FIELDS[String(delta.type)] ?? [];
  if (field === undefined || block.type !== type) throw new Error(`${delta.type} in a block of type ${block.type}`);
  if (field === 'partial_json') inputs.set(index, (inputs.get(index) ?? '') + delta.partial_json);
  else block[field] = `${block[field]}${delta[field]}`;
}

function inputOf(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Not JSON.
  }
  return json.trim() === '' ? {} : { _raw: json };
}
