import { JsonShape } from '../../../json/json-shape.js';

/** Ten times what the calls of a long conversation have; so much is parsed in less than 30 ms. */
const MOST_VALUES = 15_000;
/** No model writes so much in a conversation. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** So few characters are not worth counting. */
const FREE_CHARACTERS = 64 * 1024;

/**
 * How much JSON a request's texts may hold for an API that takes values where OpenAI's has text. The texts come from the
 * client: nobody counted what is in them when the body was read.
 */
export class ParsingBudget {
  private characters = 0;
  private values = 0;

  /** Whether this text may be parsed, too; it is counted if it is. */
  admits(text: string): boolean {
    if (this.characters + text.length > MOST_CHARACTERS) return false;
    this.characters += text.length;
    if (this.characters <= FREE_CHARACTERS) return true;
    const shape = new JsonShape({ ...UNBOUNDED, values: MOST_VALUES - this.values });
    const isAdmitted = shape.admits(Buffer.from(text));
    this.values += shape.size;
    return isAdmitted;
  }
}

const UNBOUNDED = { depth: 1000, fields: Infinity, layouts: Infinity, nameLength: Infinity, shortBytes: Infinity };
