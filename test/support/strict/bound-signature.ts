import { createHash } from 'node:crypto';
import { objectsOf, type ReadonlyJsonObject } from '../../../src/upstreams/contract/json.js';

/** The signature of a thought that answers this request: bound to the whole conversation, as Claude 5.5 does it. */
export function boundSignature(body: ReadonlyJsonObject, number: number): string {
  return `sig-${number}-${hashOf(body, objectsOf(body.messages))}`;
}

/** Whether a thought in the message at `index` was written for another beginning of the conversation. */
export function isOfAnotherConversation(signature: unknown, body: ReadonlyJsonObject, index: number): boolean {
  const [, hash] = /^sig-\d+-(\w+)$/.exec(String(signature)) ?? [];
  return hash !== undefined && hash !== hashOf(body, objectsOf(body.messages).slice(0, index));
}

/** Of everything before the thought, without other thoughts and cache marks. */
function hashOf({ system, tools }: ReadonlyJsonObject, messages: readonly ReadonlyJsonObject[]): string {
  const message = messages.map(({ role, content }) => ({
    role,
    content: Array.isArray(content)
      ? objectsOf(content).filter(({ type }) => type !== 'thinking')
      : [{ type: 'text', text: content }],
  }));
  const json = JSON.stringify([system, tools, message], (name, value) =>
    name === 'cache_control' ? undefined : value,
  );
  return createHash('sha256').update(json).digest('hex').slice(0, 16);
}

/** Refusals apart from those of bound thoughts, which clients that change a conversation's beginning always get. */
export function otherRefusals(refusals: readonly string[]): string[] {
  return refusals.filter((refusal) => !refusal.includes('bound to a different conversation'));
}
