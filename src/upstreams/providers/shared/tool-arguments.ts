import { parseExactly } from '../../../json/exact-json.js';
import type { ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import { ParsingBudget } from './parsing-budget.js';

/** Parses a conversation's tool arguments for APIs that accept objects. */
export class ToolArguments {
  private readonly budget = new ParsingBudget();

  /**
   * `{}` for empty text; undefined if it is not a JSON object, for example in a truncated call, or beyond the parsing
   * budget.
   */
  parse(text: string): JsonObject | undefined {
    if (!this.budget.admits(text)) return undefined;
    return text.trim() === '' ? {} : objectIn(text);
  }

  /** A call's name and input. Arguments that are not an object are wrapped in an object as text. */
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
