import { type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import type { MessageExtras } from '../openai/dialect.js';

/** The streamed field of an entry, by its type; encrypted entries arrive whole. */
const TEXT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['reasoning.text', 'text'],
  ['reasoning.summary', 'summary'],
]);

/**
 * Collects `reasoning_details`: reasoning with the signatures that its API requires back with a tool result. The client
 * receives it with the same name and sends it back with the message, so that the gateway need not store it.
 */
export class ReasoningDetails implements MessageExtras {
  private readonly details: JsonObject[] = [];

  /** Only a delta's first entry can continue the previous one. */
  read({ reasoning_details: entries }: JsonObject): void {
    const [first, ...others] = objectsOf(entries);
    const last = this.details.at(-1);
    if (first && last && last.type === first.type && last.index === first.index) this.continue(last, first);
    else if (first) this.details.push({ ...first });
    this.details.push(...others.map((entry) => ({ ...entry })));
  }

  fields(): JsonObject {
    return this.details.length > 0 ? { reasoning_details: this.details } : {};
  }

  private continue(last: JsonObject, entry: JsonObject): void {
    const field = TEXT_FIELDS.get(entry.type);
    if (field === undefined) {
      this.details.push({ ...entry });
      return;
    }
    const text = `${textOf(last[field]) ?? ''}${textOf(entry[field]) ?? ''}`;
    const fields = Object.entries(entry).filter(([, value]) => value !== null);
    // Spread instead of assignment: no key can set the prototype.
    this.details[this.details.length - 1] = { ...last, ...Object.fromEntries(fields), [field]: text };
  }
}
