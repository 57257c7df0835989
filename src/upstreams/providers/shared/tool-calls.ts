import { createHash } from 'node:crypto';
import { parseExactly } from '../../../json/exact-json.js';
import type { ChatTool, ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { ParsingBudget } from './native.js';

/** A deterministic id for a tool call without one. */
export function mintedId(call: ProviderCall, choice: number, index: number): string {
  return `call_${call.id.replace(/^chatcmpl-/, '')}_${choice}_${index}`;
}

/** A deterministic id that every API accepts. */
export function hashedId(id: string): string {
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}

/** Returns the function that shortens long tool call ids. */
export function shortId(longest: number): (id: string) => string {
  return (id) => (id.length <= longest ? id : hashedId(id));
}

/** The nth of equal ids or names. Thousands may be equal, so that its length must not grow with each. */
export function nthOf(text: string, nth: number): string {
  return nth <= 3 ? text + '_'.repeat(nth - 1) : `${text}_${nth}`;
}

/** Unique tool call ids in an API's format, as other upstreams have other formats or repeat ids in each answer. */
export class ToolCallIds {
  private readonly used = new Set<string>();
  private readonly latest = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  /** `toValid`: converts the nth call with an id. */
  constructor(private readonly toValid: (id: string, nth: number) => string) {}

  /** The id of a new call. Later results with the caller's id belong to it. */
  ofCall(id: string): string {
    let nth = (this.counts.get(id) ?? 0) + 1;
    let unique = this.toValid(id, nth);
    while (this.used.has(unique)) unique = this.toValid(id, ++nth);
    this.counts.set(id, nth);
    this.used.add(unique);
    this.latest.set(id, unique);
    return unique;
  }

  ofResult(id: string): string {
    return this.latest.get(id) ?? this.toValid(id, 1);
  }
}

export interface NameForm {
  readonly valid: RegExp;
  /** Converts a name to a valid name. */
  readonly repair: (name: string) => string;
}

export function validName(name: string, { valid, repair }: NameForm): string {
  return valid.test(name) ? name : repair(name);
}

/**
 * Renames tools for an API that allows fewer characters than OpenAI's format, and restores the names in answers.
 * Depends only on the request's tools.
 */
export class ToolRenaming {
  private readonly changed = new Map<string, string>();
  private readonly original = new Map<string, string>();

  constructor(
    tools: readonly ChatTool[] | null | undefined,
    private readonly form: NameForm,
  ) {
    const names = (tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.function.name] : []));
    const invalid = names.filter((name) => !form.valid.test(name));
    if (invalid.length === 0) return;
    const used = new Set(names);
    const counts = new Map<string, number>();
    for (const name of invalid) {
      if (this.changed.has(name)) continue;
      const repaired = form.repair(name);
      let nth = counts.get(repaired) ?? 1;
      let unique = nthOf(repaired, nth);
      while (used.has(unique)) unique = nthOf(repaired, ++nth);
      counts.set(repaired, nth);
      used.add(unique);
      this.changed.set(name, unique);
      this.original.set(unique, name);
    }
  }

  /** Tools of earlier calls that are no longer offered only get a valid name. */
  toApi(name: string): string {
    return this.changed.get(name) ?? validName(name, this.form);
  }

  toCaller(name: string): string {
    return this.original.get(name) ?? name;
  }
}

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
