import { isObject, type JsonObject, objectsOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import { decodeReasoning, isOwnReasoning } from '../../shared/carried-reasoning.js';

/** Collects reasoning of earlier answers until the message or call that it belongs to. */
export class ReturnedReasoning {
  private ofCall: JsonObject = {};
  private ofMessage: JsonObject = {};

  /** False: another provider encrypted the item, so that a translated target cannot use it. */
  add(item: ReadonlyJsonObject): boolean {
    const { encrypted_content: encrypted } = item;
    if (encrypted != null && encrypted !== '' && !isOwnReasoning(encrypted)) return false;
    const { call, message = {} } = decodeReasoning(encrypted);
    if (call) this.ofCall = { ...this.ofCall, ...call };
    const { extra_content: extra, reasoning_details: details, reasoning_content: hidden } = message;
    // Only these fields, as a client could have added others to the item.
    if (isObject(extra)) this.ofMessage.extra_content = extra;
    if (Array.isArray(details)) this.ofMessage.reasoning_details = details;
    const thoughts = readable(item) || (typeof hidden === 'string' ? hidden : '');
    if (thoughts !== '') this.ofMessage.reasoning_content = joined(this.ofMessage.reasoning_content, thoughts);
    return true;
  }

  /** The fields to add to the message that the items belong to. `known`: its fields so far. */
  takeFields(known: ReadonlyJsonObject): JsonObject {
    const fields = this.ofMessage;
    this.ofMessage = {};
    if (typeof fields.reasoning_content === 'string') {
      fields.reasoning_content = joined(known.reasoning_content, fields.reasoning_content);
    }
    return fields;
  }

  takeOfCall(): { extra_content?: JsonObject } {
    const extra = this.ofCall;
    this.ofCall = {};
    return Object.keys(extra).length > 0 ? { extra_content: extra } : {};
  }
}

/** The text that the client could read: the reasoning itself, or its summary. */
function readable({ content, summary }: ReadonlyJsonObject): string {
  const whole = objectsOf(content).map(({ text }) => String(text));
  return (whole.length > 0 ? whole : objectsOf(summary).map(({ text }) => String(text))).join('\n\n');
}

function joined(before: unknown, text: string): string {
  return typeof before === 'string' ? `${before}\n\n${text}` : text;
}
