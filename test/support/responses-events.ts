import { isDeepStrictEqual } from 'node:util';
import type OpenAI from 'openai';

export type ResponsesEvent = OpenAI.Responses.ResponseStreamEvent;
type Item = OpenAI.Responses.ResponseOutputItem;

/** The events in SSE text. Throws if a line has another form, or `event:` differs from the event's type. */
export function eventsIn(sse: string): ResponsesEvent[] {
  if (sse === '') return [];
  if (!sse.endsWith('\n\n')) throw new Error(`The text ends within an event: ${sse.slice(-100)}`);
  return sse
    .slice(0, -2)
    .split('\n\n')
    .filter((block) => block !== ': ping')
    .map((block) => {
      const [, name, data] = /^event: (\S+)\ndata: ([^\n]*)$/.exec(block) ?? [];
      const event = JSON.parse(data ?? '') as ResponsesEvent;
      if (event.type !== name) throw new Error(`event: ${name} has the type ${event.type}`);
      return event;
    });
}

const ENDS = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Follows the events of one stream like a client, and records violations of the format's rules. */
export class ResponsesFollower {
  readonly faults: string[] = [];
  /** As rebuilt from deltas, and confirmed by `output_item.done`. */
  readonly items: Item[] = [];
  private open: { item: Item; text: string; part: number; partOpen: boolean; textDone: boolean } | null = null;

  constructor(readonly events: readonly ResponsesEvent[]) {
    events.forEach((event, index) => {
      this.expect(event.sequence_number === index, `number ${event.sequence_number} at ${index}`);
      this.expect(ENDS.has(event.type) === (index === events.length - 1), `${event.type} at ${index}`);
      this.follow(event, index);
    });
    this.checkEnd();
  }

  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  get response(): OpenAI.Responses.Response {
    const last = this.events.at(-1);
    if (!last || !('response' in last)) throw new Error('The stream has no response.');
    return last.response as OpenAI.Responses.Response;
  }

  private follow(event: ResponsesEvent, index: number): void {
    switch (event.type) {
      case 'response.created':
      case 'response.in_progress':
        this.expect(index === (event.type === 'response.created' ? 0 : 1), `${event.type} at ${index}`);
        this.expect(event.response.status === 'in_progress' && event.response.output.length === 0, 'has begun');
        return;
      case 'response.output_item.added':
        this.expect(this.open === null, 'an item within an item');
        this.expect(event.output_index === this.items.length, `output_index ${event.output_index}`);
        this.open = { item: event.item, text: '', part: -1, partOpen: false, textDone: false };
        return;
      case 'response.content_part.added':
      case 'response.reasoning_summary_part.added': {
        const place = 'content_index' in event ? event.content_index : event.summary_index;
        const open = this.openAt(event);
        if (!open) return;
        this.expect(!open.partOpen, 'a part within a part');
        this.expect(place === open.part + 1, `part ${place}`);
        Object.assign(open, { part: place, partOpen: true, text: '', textDone: false });
        return;
      }
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_summary_text.delta':
        this.addText(event, event.delta, true);
        return;
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        this.addText(event, event.delta, false);
        return;
      case 'response.output_text.annotation.added':
        this.expect(this.openAt(event)?.partOpen === true, 'an annotation without a part');
        return;
      case 'response.output_text.done':
      case 'response.reasoning_summary_text.done':
        this.endText(event, event.text);
        return;
      case 'response.refusal.done':
        this.endText(event, event.refusal);
        return;
      case 'response.function_call_arguments.done':
        this.endText(event, event.arguments);
        return;
      case 'response.custom_tool_call_input.done':
        this.endText(event, event.input);
        return;
      case 'response.content_part.done':
      case 'response.reasoning_summary_part.done': {
        const open = this.openAt(event);
        if (!open) return;
        const text = 'text' in event.part ? event.part.text : event.part.refusal;
        this.expect(open.partOpen && open.textDone && text === open.text, 'a part ends without its text');
        open.partOpen = false;
        return;
      }
      case 'response.output_item.done':
        this.endItem(event);
        return;
      case 'error':
        this.expect(index === this.events.length - 2, 'an error before the last event but one');
        return;
      default:
        this.expect(ENDS.has(event.type), `the event ${event.type}`);
    }
  }

  private addText(event: { item_id: string; output_index: number }, delta: string, inPart: boolean): void {
    const open = this.openAt(event);
    if (!open) return;
    this.expect(delta !== '', 'an empty delta');
    this.expect(open.partOpen === inPart && !open.textDone, 'a delta outside its part');
    open.text += delta;
  }

  private endText(event: { item_id: string; output_index: number }, text: string): void {
    const open = this.openAt(event);
    if (!open) return;
    this.expect(!open.textDone && text === open.text, 'the sum of the deltas is another text');
    open.textDone = true;
  }

  private endItem({ item, output_index }: OpenAI.Responses.ResponseOutputItemDoneEvent): void {
    const { open } = this;
    this.expect(open !== null && output_index === this.items.length, 'the end of another item');
    this.expect(open?.item.id === item.id && open?.item.type === item.type, 'an item that changed');
    this.expect(open?.partOpen === false, 'a part without an end');
    const written = open?.textDone ? open.text : null;
    if (item.type === 'function_call') this.expect(item.arguments === written, 'arguments');
    if (item.type === 'custom_tool_call') this.expect(item.input === written, 'input');
    if (item.type === 'message') this.expect(item.content.length === (open?.part ?? 0) + 1, 'parts');
    this.items.push(item);
    this.open = null;
  }

  private checkEnd(): void {
    const { status, output, error, incomplete_details: details } = this.response;
    this.expect(`response.${status}` === this.types.at(-1), 'the status is another one than the event');
    this.expect((details !== null) === (status === 'incomplete'), 'incomplete_details');
    this.expect((error !== null) === (status === 'failed'), 'error');
    if (status === 'failed') {
      this.expect(this.types.at(-2) === 'error', 'a failure without an error event');
      return;
    }
    this.expect(this.open === null, 'an item without an end');
    this.expect(isDeepStrictEqual(output, this.items), 'another output than the items');
  }

  private openAt({ item_id, output_index }: { item_id: string; output_index: number }) {
    const { open } = this;
    const isOpen = open !== null && open.item.id === item_id && output_index === this.items.length;
    this.expect(isOpen, `an event of ${item_id}, which is not open`);
    return isOpen ? open : null;
  }

  private expect(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(fault);
  }
}
