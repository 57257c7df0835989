import type { JsonObject } from '../../../upstreams/contract/json.js';
import { ArgumentsText } from '../../shared/tool-arguments.js';
import { fromCustomArguments } from '../request/chat-tools.js';
import { OutputItem } from './output.item.js';
import type { EventWriter } from './response.envelope.js';

interface Called {
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** The names of a call and its content in items and events. */
const KINDS = {
  function: { type: 'function_call', field: 'arguments', event: 'response.function_call_arguments' },
  custom: { type: 'custom_tool_call', field: 'input', event: 'response.custom_tool_call_input' },
} as const;

/** A call of one of the client's tools. */
export class CallItem extends OutputItem {
  private readonly received = new ArgumentsText();

  /**
   * `isFunction`: the model called a function. For a custom tool, the function replaces it: the tool's input is one of
   * the arguments, so it is known once these are complete.
   */
  constructor(
    id: string,
    index: number,
    private readonly called: Called,
    private readonly kind: keyof typeof KINDS,
    private readonly isFunction: boolean,
  ) {
    super(id, index);
  }

  /** True after a complete JSON object: only white space can follow. */
  get isOver(): boolean {
    return this.isFunction && this.received.isWhole;
  }

  override get isPartial(): boolean {
    return this.isFunction && this.received.text.trim() !== '' && !this.received.isWhole;
  }

  add(text: string): void {
    this.received.add(text);
    if (this.events && !this.isReplaced) this.writeText(this.events, text);
  }

  toJson(): JsonObject {
    return { ...this.begun(), [KINDS[this.kind].field]: this.content() };
  }

  protected begun(): JsonObject {
    const { callId, name, namespace } = this.called;
    const { type, field } = KINDS[this.kind];
    return {
      id: this.id,
      type,
      status: this.status,
      call_id: callId,
      name,
      ...(namespace !== undefined && { namespace }),
      [field]: '',
    };
  }

  protected writeCollected(events: EventWriter): void {
    if (!this.isReplaced && this.received.text !== '') this.writeText(events, this.received.text);
  }

  protected writeEnd(events: EventWriter): void {
    const { event, field } = KINDS[this.kind];
    const content = this.content();
    if (this.isReplaced && content !== '') this.writeText(events, content);
    const name = this.kind === 'function' ? `,"name":${JSON.stringify(this.called.name)}` : '';
    events.write(`${event}.done`, `${this.position}${name},"${field}":${JSON.stringify(content)}`);
  }

  private get isReplaced(): boolean {
    return this.kind === 'custom' && this.isFunction;
  }

  private content(): string {
    return this.isReplaced ? fromCustomArguments(this.received.text) : this.received.text;
  }

  private writeText(events: EventWriter, text: string): void {
    events.write(`${KINDS[this.kind].event}.delta`, `${this.position},"delta":${JSON.stringify(text)}`);
  }
}
