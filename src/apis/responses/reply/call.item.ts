import { parseIfJson } from '../../../json/parse-if-json.js';
import { isObject, type JsonObject } from '../../../upstreams/contract/json.js';
import { fromCustomArguments } from '../request/chat-tools.js';
import type { EventWriter } from './event.writer.js';
import { OutputItem } from './output.item.js';

interface Called {
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** A call of one of the client's tools. */
export abstract class CallItem extends OutputItem {
  protected text = '';

  constructor(
    id: string,
    index: number,
    protected readonly called: Called,
  ) {
    super(id, index);
  }

  abstract add(text: string): void;

  protected named(type: string): JsonObject {
    const { callId, name, namespace } = this.called;
    return {
      id: this.id,
      type,
      status: this.status,
      call_id: callId,
      name,
      ...(namespace !== undefined && { namespace }),
    };
  }
}

/** `{"type": "function_call"}` */
export class FunctionCallItem extends CallItem {
  /** True after a complete JSON object: only white space can follow. */
  get isOver(): boolean {
    return isWholeObject(this.text);
  }

  add(text: string): void {
    this.text += text;
    if (this.events) this.writeText(this.events, text);
  }

  toJson(): JsonObject {
    return { ...this.named('function_call'), arguments: this.text };
  }

  protected begun(): JsonObject {
    return { ...this.named('function_call'), arguments: '' };
  }

  protected writeCollected(events: EventWriter): void {
    if (this.text !== '') this.writeText(events, this.text);
  }

  protected writeEnd(events: EventWriter): void {
    const { name } = this.called;
    const fields = `${this.position},"name":${JSON.stringify(name)},"arguments":${JSON.stringify(this.text)}`;
    events.write('response.function_call_arguments.done', fields);
  }

  private writeText(events: EventWriter, text: string): void {
    events.write('response.function_call_arguments.delta', `${this.position},"delta":${JSON.stringify(text)}`);
  }
}

/** `{"type": "custom_tool_call"}` */
export class CustomCallItem extends CallItem {
  /**
   * `isFunction`: the model called the function that replaces the tool. The tool's input is an argument of it, which is
   * known once the arguments are complete.
   */
  constructor(
    id: string,
    index: number,
    called: Called,
    private readonly isFunction: boolean,
  ) {
    super(id, index, called);
  }

  get isOver(): boolean {
    return this.isFunction && isWholeObject(this.text);
  }

  add(text: string): void {
    this.text += text;
    if (this.events && !this.isFunction) this.writeText(this.events, text);
  }

  toJson(): JsonObject {
    return { ...this.custom(), input: this.input() };
  }

  protected begun(): JsonObject {
    return { ...this.custom(), input: '' };
  }

  protected writeCollected(events: EventWriter): void {
    if (!this.isFunction && this.text !== '') this.writeText(events, this.text);
  }

  protected writeEnd(events: EventWriter): void {
    const input = this.input();
    if (this.isFunction && input !== '') this.writeText(events, input);
    events.write('response.custom_tool_call_input.done', `${this.position},"input":${JSON.stringify(input)}`);
  }

  private custom(): JsonObject {
    return this.named('custom_tool_call');
  }

  private input(): string {
    return this.isFunction ? fromCustomArguments(this.text) : this.text;
  }

  private writeText(events: EventWriter, text: string): void {
    events.write('response.custom_tool_call_input.delta', `${this.position},"delta":${JSON.stringify(text)}`);
  }
}

function isWholeObject(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('{') && trimmed.endsWith('}') && isObject(parseIfJson(trimmed));
}
