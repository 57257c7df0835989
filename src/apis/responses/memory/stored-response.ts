import { setImmediate as nextTurn } from 'node:timers/promises';
import { LARGE_JSON, parseInTurns, stringifyInTurns } from '../../../json/json-in-turns.js';
import { BODY_BOUNDS, JsonShape } from '../../../json/json-shape.js';
import { isObject, type JsonObject, objectsOf } from '../../../upstreams/contract/json.js';
import { itemType } from '../request/input.checks.js';
import type { InputItem } from '../request/responses-request.types.js';

/** Other ids cannot be referred to: they do not fit into URLs or the database. */
const ID = /^[\x21-\x7e]{1,256}$/;

export function isStorableId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id);
}

/** A response as the client got it, and the whole input that it answers. */
export class StoredResponse {
  constructor(
    readonly input: readonly InputItem[],
    readonly response: Readonly<JsonObject>,
  ) {}

  static async parse(bytes: Buffer): Promise<StoredResponse> {
    const { input, response } = (await parsed(bytes)) as Pick<StoredResponse, 'input' | 'response'>;
    return new StoredResponse(input, response);
  }

  serialize(): Promise<Buffer> {
    const { input, response } = this;
    return stringifyInTurns({ input, response }, () => nextTurn());
  }

  /** The conversation up to the end of this response. */
  get items(): readonly InputItem[] {
    return [...this.input, ...objectsOf(this.response.output)];
  }

  get itemIds(): string[] {
    return [...new Set(this.items.flatMap(({ id }) => (isStorableId(id) ? [id] : [])))];
  }

  /** The input as OpenAI lists it: each item has an id, and the content of messages is a list of parts. */
  listedInput(): (JsonObject & { id: string })[] {
    const { id } = this.response;
    return this.input.map((item, index) => {
      const own = isStorableId(item.id) ? item.id : `${prefixOf(item)}_${String(id).replace(/^resp_/, '')}_${index}`;
      return { ...listed(item), id: own };
    });
  }
}

const PREFIXES: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg'],
  ['function_call', 'fc'],
  ['function_call_output', 'fco'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctco'],
  ['reasoning', 'rs'],
]);

function prefixOf(item: InputItem): string {
  return PREFIXES.get(itemType(item)) ?? 'item';
}

function listed(item: InputItem): JsonObject {
  const type = itemType(item);
  const { content } = item;
  if (type !== 'message') return type === 'reasoning' ? { summary: [], ...item } : { status: 'completed', ...item };
  const isOutput = item.role === 'assistant';
  const text = { type: isOutput ? 'output_text' : 'input_text', text: content, ...(isOutput && { annotations: [] }) };
  return { status: 'completed', ...item, type, content: typeof content === 'string' ? [text] : content };
}

/** Large content is parsed in several turns of the event loop. */
function parsed(bytes: Buffer): unknown {
  if (bytes.length < LARGE_JSON) return JSON.parse(bytes.toString());
  const shape = new JsonShape(BODY_BOUNDS);
  return shape.admits(bytes) ? parseInTurns(bytes, shape.strings, () => nextTurn()) : JSON.parse(bytes.toString());
}

/** The response in the text of an answer, or null if it is not complete. */
export function completeResponse(value: unknown): (JsonObject & { id: string }) | null {
  if (!isObject(value) || !isStorableId(value.id)) return null;
  const isComplete = value.status === 'completed' || value.status === 'incomplete';
  return isComplete ? { ...value, id: value.id } : null;
}
