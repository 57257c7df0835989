import { isObject, type JsonObject } from '../json.js';
import type { MessageExtras } from '../openai/dialect.js';

/** Fields whose text comes in pieces. */
const TEXTS = ['text', 'summary'] as const;

/**
 * Gathers `reasoning_details`: thoughts with the signatures that their API wants back before a tool's result. They are
 * handed to the client under the same name, as the router does, and go back with the message: no state is held here.
 */
export class ReasoningDetails implements MessageExtras {
  private readonly details: JsonObject[] = [];

  read({ reasoning_details: parts }: JsonObject): void {
    if (!Array.isArray(parts)) return;
    const [first, ...others] = parts.filter(isObject);
    const last = this.details.at(-1);
    if (first && last && continues(first, last)) append(first, last);
    else if (first) this.details.push({ ...first });
    this.details.push(...others.map((part) => ({ ...part })));
  }

  fields(): JsonObject {
    return this.details.length > 0 ? { reasoning_details: this.details } : {};
  }
}

/** Whether a streamed part belongs to the entry before it; what is encrypted comes whole. */
function continues(part: JsonObject, last: JsonObject): boolean {
  return part.type === last.type && part.index === last.index && TEXTS.some((field) => `reasoning.${field}` === part.type);
}

function append(part: JsonObject, last: JsonObject): void {
  for (const [field, value] of Object.entries(part)) {
    const isText = TEXTS.some((text) => text === field) && typeof value === 'string';
    if (isText) last[field] = `${last[field] ?? ''}${value}`;
    else last[field] = value ?? last[field];
  }
}
