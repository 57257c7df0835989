import { countOf, type JsonObject, objectOf, textOf } from '../../contract/json.js';

const ITEM_TYPES = ['message', 'reasoning', 'function_call', 'custom_tool_call'] as const;
/** The types of items that the chat format can express. */
export type ItemType = (typeof ITEM_TYPES)[number];

export const CALLS: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call']);

export function isItemType(type: unknown): type is ItemType {
  return ITEM_TYPES.some((known) => known === type);
}

type PartKind = 'text' | 'refusal' | 'annotations' | 'reasoning' | 'encrypted' | 'input';

/** An item of a streamed answer, and which of its parts were sent to the client. */
export class OutputItem {
  isDone = false;
  /** The index of its tool call, once the call was sent. */
  callIndex: number | undefined;
  /** The length of the answer's text before each part that was sent. */
  private readonly sent = new Map<string, number>();

  constructor(
    readonly type: ItemType,
    readonly index: number | undefined,
    readonly id: string | undefined,
    readonly callId: string | undefined,
  ) {}

  /** `index`: the part's; some servers send none in deltas, which then count for all parts. */
  markSent(kind: PartKind, index: unknown = ALL, textLength = 0): void {
    const key = `${kind}:${index}`;
    if (!this.sent.has(key)) this.sent.set(key, textLength);
  }

  /** The length of the answer's text before a part; undefined: the part was not sent. */
  sentAt(kind: PartKind, index: unknown = ALL): number | undefined {
    return this.sent.get(`${kind}:${index}`) ?? this.sent.get(`${kind}:${ALL}`);
  }
}

const ALL = '*';

/**
 * The items of a streamed answer. Events name their item by its output index, or else by its id, as some servers change
 * ids and others send no index.
 */
export class OutputItems {
  private readonly items: OutputItem[] = [];

  begin(event: JsonObject, type: ItemType): OutputItem {
    const item = objectOf(event.item);
    const id = textOf(item.id) ?? textOf(event.item_id);
    const begun = new OutputItem(type, countOf(event.output_index), id, textOf(item.call_id));
    this.items.push(begun);
    return begun;
  }

  /** The item of an event; a new one if no event has begun it. */
  of(event: JsonObject, type: ItemType): OutputItem {
    const index = countOf(event.output_index);
    const found =
      index === undefined
        ? (this.withId(event, type) ?? this.items.findLast((item) => item.type === type && !item.isDone))
        : this.items.findLast((item) => item.index === index && item.type === type);
    return found && !isOtherCall(found, event) ? found : this.begin(event, type);
  }

  /** The item of a whole response, by its id or its position among the items of its type. */
  ofResponse(item: JsonObject, type: ItemType, position: number): OutputItem {
    const event = { item };
    return (
      this.withId(event, type) ?? this.items.filter((known) => known.type === type)[position] ?? this.begin(event, type)
    );
  }

  private withId(event: JsonObject, type: ItemType): OutputItem | undefined {
    const item = objectOf(event.item);
    const id = textOf(event.item_id) ?? textOf(item.id);
    const callId = textOf(item.call_id);
    return this.items.find(
      (known) =>
        known.type === type &&
        ((id !== undefined && known.id === id) || (callId !== undefined && known.callId === callId)),
    );
  }
}

/** Some servers give all calls the same index. */
function isOtherCall({ callId: known }: OutputItem, { item }: JsonObject): boolean {
  const callId = textOf(objectOf(item).call_id);
  return known !== undefined && callId !== undefined && known !== callId;
}
