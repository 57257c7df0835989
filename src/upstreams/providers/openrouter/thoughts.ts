import { type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import type { MessageExtras } from '../openai/dialect.js';

/** Which field of an entry comes in pieces, by its type; what is encrypted comes whole. */
const TEXT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['reasoning.text', 'text'],
  ['reasoning.summary', 'summary'],
]);

/**
 * Gathers `reasoning_details`: thoughts with the signatures that their API wants back before a tool's result. They are
 * handed to the client under the same name, as the router does, and go back with the message: no state is held here.
 */
export class ReasoningDetails implements MessageExtras {
  private readonly details: JsonObject[] = [];

  /** Only the first entry of a delta can go on where the delta before it ended. */
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
    const told = Object.entries(entry).filter(([, value]) => value !== null);
    // Spread and not assigned: no key of the entry, whatever it is called, may set a prototype.
    this.details[this.details.length - 1] = { ...last, ...Object.fromEntries(told), [field]: text };
  }
}
