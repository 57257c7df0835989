import type { FunctionToolCall, ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject, textOf } from '../../contract/json.js';
import { parseExactly } from './exact-json.js';
import { ParsingBudget } from './parsing-budget.js';

/** The arguments of a conversation's tool calls as objects, for an API that takes no text. */
export class ToolArguments {
  constructor(private readonly budget = new ParsingBudget()) {}

  /**
   * `{}` for empty text. Undefined for what is no JSON object, as a model's broken-off or mistaken call in a history may
   * be, and for more than the parsing budget allows.
   */
  parse(text: string): JsonObject | undefined {
    if (!this.budget.admits(text)) return undefined;
    return text.trim() === '' ? {} : objectIn(text);
  }

  /** What a call of the history called, and with what; arguments that are no object are kept as text in one. */
  of(call: ToolCall): { name: string; input: JsonObject } {
    if (call.type === 'custom') return { name: call.custom.name, input: { input: call.custom.input } };
    const { name, arguments: text } = call.function;
    return { name, input: this.parse(text) ?? { arguments: text } };
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseExactly(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A call of an answer whose arguments are a value. */
export function toToolCall(id: unknown, name: unknown, input: unknown): FunctionToolCall {
  const called = { name: textOf(name) ?? '', arguments: JSON.stringify(input ?? {}) };
  return { id: textOf(id) ?? '', type: 'function', function: called };
}
