import { invalidRequest } from '../../../common/gateway.error.js';
import type { AssistantMessage, ChatMessage } from '../../chat.types.js';
import { parseExactly } from '../exact-json.js';
import { isObject, type JsonObject } from '../json.js';
import type { ProviderCall } from '../provider.adapter.js';
import { callId } from './call-id.js';

type ResultMessage = Extract<ChatMessage, { role: 'tool' | 'function' }>;

/** Gathers the results of one turn's calls: each is told by the function's name, all in the order of the calls. */
export class FunctionResults {
  /** The last call of each id: the function's name and the call's place among all. */
  private readonly calls = new Map<string, { name: string; place: number }>();
  private count = 0;
  private gathered: { place: number; part: JsonObject }[] = [];

  constructor(private readonly call: ProviderCall) {}

  expect({ tool_calls: toolCalls }: AssistantMessage): void {
    for (const called of toolCalls ?? []) {
      const { name } = called.type === 'function' ? called.function : called.custom;
      this.calls.set(called.id, { name, place: this.count++ });
    }
  }

  add(message: ResultMessage, path: string): void {
    if (message.role === 'function') {
      const response = responseOf(message.content ?? '');
      this.gathered.push({ place: this.count++, part: { functionResponse: { name: message.name, response } } });
      return;
    }
    const { tool_call_id: id, content } = message;
    const called = this.calls.get(id);
    if (!called) {
      const words = 'No tool call of an earlier assistant message has this id.';
      throw invalidRequest('invalid_value', `${path}.tool_call_id`, words);
    }
    const text = typeof content === 'string' ? content : content.map((part) => part.text).join('');
    const functionResponse = { ...callId(id, this.call), name: called.name, response: responseOf(text) };
    this.gathered.push({ place: called.place, part: { functionResponse } });
  }

  /** The results since the last time. */
  take(): JsonObject[] {
    if (this.gathered.length === 0) return [];
    const parts = this.gathered.sort((one, other) => one.place - other.place).map(({ part }) => part);
    this.gathered = [];
    return parts;
  }
}

/** The API takes an object: a JSON object as it is, anything else as `output`. */
function responseOf(text: string): JsonObject {
  if (text.trimStart().startsWith('{')) {
    try {
      const value = parseExactly(text);
      if (isObject(value)) return value;
    } catch {
      // Text that merely begins like an object.
    }
  }
  return { output: text };
}
