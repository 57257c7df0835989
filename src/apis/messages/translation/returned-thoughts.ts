import { isObject, type JsonObject } from '../../../upstreams/contract/json.js';
import { decodeReasoning, isOwnReasoning } from '../../shared/carried-reasoning.js';
import type { ThoughtBlock } from '../request/messages.types.js';

/** Restores the reasoning of an earlier answer to the tool calls and the message that it belongs to. */
export class ReturnedThoughts {
  private call: JsonObject = {};
  private claudes: JsonObject[] = [];
  private message: JsonObject = {};
  private text = '';

  read(block: ThoughtBlock): void {
    const carrier = block.type === 'thinking' ? block.signature : block.data;
    if (!isOwnReasoning(carrier)) {
      this.claudes.push({ ...block });
      return;
    }
    const { call, message } = decodeReasoning(carrier);
    // Spread instead of assignment, so that no key can set the prototype.
    this.call = { ...this.call, ...call };
    if (isObject(message?.extra_content)) this.message.extra_content = message.extra_content;
    if (Array.isArray(message?.reasoning_details)) this.message.reasoning_details = message.reasoning_details;
    if (block.type === 'thinking') this.text += block.thinking;
  }

  /** The fields of the next call. Blocks without our mark are Claude's own. */
  ofNextCall(): { extra_content?: JsonObject } {
    const claudes = this.claudes.length > 0 && { anthropic: { thinking_blocks: this.claudes } };
    const extra = { ...this.call, ...claudes };
    this.call = {};
    this.claudes = [];
    return Object.keys(extra).length > 0 ? { extra_content: extra } : {};
  }

  /** The fields of the message. Some open models need their own reasoning text again. */
  ofMessage(): JsonObject {
    return { ...this.message, ...(this.text !== '' && { reasoning_content: this.text }) };
  }
}
