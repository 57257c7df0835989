import { JsonShape } from '../../../json/json-shape.js';

/** Ten times the values of a long conversation; parsed in less than 30 ms. */
const MAX_VALUES = 15_000;
/** More than any model writes in a conversation. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Shorter texts are not counted. */
const FREE_CHARACTERS = 64 * 1024;

/**
 * Limits the JSON within a request's texts that must be parsed for APIs with values instead of text. The limits of the
 * body do not cover JSON within texts.
 */
export class ParsingBudget {
  private characters = 0;
  private values = 0;

  /** Whether this text may be parsed; counts it in that case. */
  admits(text: string): boolean {
    if (this.characters + text.length > MAX_CHARACTERS) return false;
    this.characters += text.length;
    if (this.characters <= FREE_CHARACTERS) return true;
    const shape = new JsonShape({ ...UNBOUNDED, values: MAX_VALUES - this.values });
    const isAdmitted = shape.admits(Buffer.from(text));
    this.values += shape.size;
    return isAdmitted;
  }
}

const UNBOUNDED = { depth: 1000, fields: Infinity, layouts: Infinity, nameLength: Infinity, shortBytes: Infinity };
