import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../auth/caller.types.js';
import { gatewayError, invalidRequest } from '../../../common/gateway.error.js';
import type { AnswerSink, CallMemory, Recalled } from '../../../completions/formats/call-format.js';
import { isJsonObject, type JsonObject } from '../../../completions/formats/structure.checks.js';
import {
  type RememberedResponse,
  RememberedResponsesService,
} from '../../../content-log/remembered-responses.service.js';
import { parseIfJson } from '../../../json/exact-json.js';
import { isObject, objectsOf } from '../../../upstreams/contract/json.js';
import { eventsIn, responseIn } from '../reply/native.reply.js';
import { isReference } from '../request/offered-tools.js';
import type { InputItem } from '../request/responses-request.types.js';
import { completeResponse, isStorableId, StoredResponse } from './stored-response.js';

type Admit = (content: Buffer) => void;

/** Writes out what requests refer to, and stores their answers, if `responses.remember` is on. */
@Injectable()
export class ResponseMemory implements CallMemory {
  constructor(private readonly responses: RememberedResponsesService) {}

  get isOn(): boolean {
    return this.responses.isOn;
  }

  async recall(caller: Caller, body: unknown, admit: Admit): Promise<Recalled | null> {
    if (!isJsonObject(body)) return null;
    const { previous_response_id: previous, ...fields } = body;
    const own = Array.isArray(body.input) ? body.input : null;
    const isStored = body.store !== false;
    const refers = previous != null || (own?.some(isItemReference) ?? false);
    if (!isStored && !refers) return null;
    const owner = ownerOf(caller);
    const earlier = previous == null ? null : await this.previous(owner, previous, admit);
    const found = new Map<unknown, InputItem>(earlier?.items.map((item) => [item.id, item]));
    if (own) await this.findReferences(owner, own, found, admit);
    const before = earlier?.items ?? [];
    const input = () => [...before, ...(own?.map((item) => referredItem(item, found)) ?? messagesOf(body.input))];
    return {
      body: refers ? { ...fields, input: isInput(body.input) ? input() : body.input } : body,
      previousId: earlier ? String(previous) : null,
      sink: isStored ? new ResponseSink(owner, input, this.responses) : null,
      pathOf: (path) => ownPath(path, before.length, own === null),
    };
  }

  /** Throws a 404 for another owner's response as for an unknown one. */
  async get(caller: Caller, id: string, admit: Admit): Promise<StoredResponse> {
    const content = isStorableId(id) ? await this.responses.find(ownerOf(caller), id) : null;
    if (content === null) throw responseNotFound();
    admit(content);
    return StoredResponse.parse(content);
  }

  async delete(caller: Caller, id: string): Promise<void> {
    const isDeleted = isStorableId(id) && (await this.responses.delete(ownerOf(caller), id));
    if (!isDeleted) throw responseNotFound();
  }

  private async previous(owner: string, id: unknown, admit: Admit): Promise<StoredResponse> {
    const path = 'previous_response_id';
    if (typeof id !== 'string') throw invalidRequest('invalid_type', path, `'${path}' must be the id of a response.`);
    const content = isStorableId(id) ? await this.responses.find(owner, id) : null;
    if (content === null) {
      const message = `No response with the id in '${path}' is stored. Send the whole conversation in 'input'.`;
      throw gatewayError(400, 'previous_response_not_found', message, { param: path });
    }
    admit(content);
    return StoredResponse.parse(content);
  }

  /** Adds the items that the input refers to. The newest response with an item usually has all of them. */
  private async findReferences(
    owner: string,
    input: readonly unknown[],
    found: Map<unknown, InputItem>,
    admit: Admit,
  ): Promise<void> {
    for (const [index, item] of input.entries()) {
      if (!isItemReference(item)) continue;
      const path = `input[${index}].id`;
      if (typeof item.id !== 'string')
        throw invalidRequest('invalid_type', path, `'${path}' must be the id of an item.`);
      if (found.has(item.id)) continue;
      const content = isStorableId(item.id) ? await this.responses.findByItem(owner, item.id) : null;
      if (content === null) {
        const message = `No item with the id in '${path}' is stored. Send the item itself.`;
        throw gatewayError(404, 'item_not_found', message, { param: path });
      }
      admit(content);
      for (const stored of (await StoredResponse.parse(content)).items) {
        if (!found.has(stored.id)) found.set(stored.id, stored);
      }
    }
  }
}

/** Keys of a project share its responses; other keys share those of their user. */
function ownerOf({ project, userId }: Caller): string {
  return project?.id ?? userId;
}

function isItemReference(item: unknown): item is JsonObject {
  return isJsonObject(item) && isReference(item);
}

function referredItem(item: unknown, found: ReadonlyMap<unknown, InputItem>): InputItem {
  return (isItemReference(item) ? found.get(item.id) : item) as InputItem;
}

/** A missing input continues the conversation without a new message. */
function isInput(input: unknown): boolean {
  return input == null || typeof input === 'string' || Array.isArray(input);
}

function messagesOf(input: unknown): InputItem[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : [];
}

/** `before`: the number of items in front of the client's own. `isText`: the client's input was a text. */
function ownPath(path: string, before: number, isText: boolean): string {
  const [, index, rest = ''] = /^input\[(\d+)\](.*)$/.exec(path) ?? [];
  if (index === undefined || before === 0) return path;
  if (Number(index) < before) return 'previous_response_id';
  return isText ? 'input' : `input[${Number(index) - before}]${rest}`;
}

function responseNotFound() {
  return gatewayError(404, 'response_not_found', 'No response with this id is stored.');
}

const ITEM_DONE = 'response.output_item.done';

/** Stores the response at the end of an answer: the JSON, or the last event of a stream. */
class ResponseSink implements AnswerSink {
  private last = '';
  /** The events of complete items, as the last event of some upstreams has no output. */
  private items = '';

  /** `input`: the whole input, with what it refers to. */
  constructor(
    private readonly owner: string,
    private readonly input: () => readonly InputItem[],
    private readonly responses: RememberedResponsesService,
  ) {}

  add(piece: string): void {
    this.last = piece;
    if (piece.includes(ITEM_DONE)) this.items += piece;
  }

  keep(): Promise<void> {
    return this.responses.store(this.owner, () => this.read());
  }

  async release(): Promise<void> {}

  private async read(): Promise<RememberedResponse | null> {
    const value = parseIfJson(this.last);
    const response = completeResponse(isObject(value) ? value : responseIn(this.last));
    if (response === null) return null;
    const output = objectsOf(response.output).length > 0 ? response.output : this.doneItems();
    const stored = new StoredResponse(this.input(), { ...response, output });
    return { id: response.id, itemIds: stored.itemIds, content: await stored.serialize() };
  }

  private doneItems() {
    return eventsIn(this.items).flatMap(({ type, item }) => (type === ITEM_DONE && isObject(item) ? [item] : []));
  }
}
