import type { JsonObject } from '../../../upstreams/contract/json.js';
import type { EventWriter } from './event.writer.js';

/** A part of a message; see `OutputItem` for `open` and `close`. */
export abstract class MessagePart {
  protected text = '';
  protected events: EventWriter | null = null;
  /** `item_id`, `output_index` and `content_index` as JSON members. */
  protected position = '';

  constructor(private readonly index: number) {}

  abstract toJson(): JsonObject;

  open(events: EventWriter, item: string): void {
    this.position = `${item},"content_index":${this.index}`;
    events.write('response.content_part.added', `${this.position},"part":${JSON.stringify(this.begun())}`);
    this.events = events;
    this.writeCollected(events);
  }

  close(): void {
    const { events } = this;
    if (!events) return;
    this.writeEnd(events);
    events.write('response.content_part.done', `${this.position},"part":${JSON.stringify(this.toJson())}`);
    this.events = null;
  }

  protected writeCollected(events: EventWriter): void {
    if (this.text !== '') this.writeText(events, this.text);
  }

  protected abstract begun(): JsonObject;
  protected abstract writeText(events: EventWriter, text: string): void;
  protected abstract writeEnd(events: EventWriter): void;
}

export class TextPart extends MessagePart {
  private readonly annotations: JsonObject[] = [];
  private readonly logprobs: unknown[] = [];

  constructor(
    index: number,
    /** The length of the answer's text before it. */
    readonly start: number,
  ) {
    super(index);
  }

  get end(): number {
    return this.start + this.text.length;
  }

  add(text: string, logprobs: readonly unknown[]): void {
    this.text += text;
    if (logprobs.length > 0) this.logprobs.push(...logprobs);
    if (this.events) this.writeText(this.events, text, logprobs);
  }

  /** False if the end of the part has been sent already. */
  annotate(annotation: JsonObject, isStreamed: boolean): boolean {
    if (isStreamed && !this.events) return false;
    this.annotations.push(annotation);
    if (this.events) this.writeAnnotation(this.events, annotation, this.annotations.length - 1);
    return true;
  }

  toJson(): JsonObject {
    return { type: 'output_text', annotations: this.annotations, logprobs: this.logprobs, text: this.text };
  }

  protected begun(): JsonObject {
    return { type: 'output_text', annotations: [], logprobs: [], text: '' };
  }

  protected override writeCollected(events: EventWriter): void {
    super.writeCollected(events);
    for (const [index, annotation] of this.annotations.entries()) this.writeAnnotation(events, annotation, index);
  }

  protected writeEnd(events: EventWriter): void {
    const logprobs = JSON.stringify(this.logprobs);
    events.write(
      'response.output_text.done',
      `${this.position},"text":${JSON.stringify(this.text)},"logprobs":${logprobs}`,
    );
  }

  protected writeText(events: EventWriter, text: string, logprobs: readonly unknown[] = this.logprobs): void {
    const beside = logprobs.length > 0 ? JSON.stringify(logprobs) : '[]';
    events.write('response.output_text.delta', `${this.position},"delta":${JSON.stringify(text)},"logprobs":${beside}`);
  }

  private writeAnnotation(events: EventWriter, annotation: JsonObject, index: number): void {
    events.write(
      'response.output_text.annotation.added',
      `${this.position},"annotation_index":${index},"annotation":${JSON.stringify(annotation)}`,
    );
  }
}

export class RefusalPart extends MessagePart {
  add(text: string): void {
    this.text += text;
    if (this.events) this.writeText(this.events, text);
  }

  toJson(): JsonObject {
    return { type: 'refusal', refusal: this.text };
  }

  protected begun(): JsonObject {
    return { type: 'refusal', refusal: '' };
  }

  protected writeEnd(events: EventWriter): void {
    events.write('response.refusal.done', `${this.position},"refusal":${JSON.stringify(this.text)}`);
  }

  protected writeText(events: EventWriter, text: string): void {
    events.write('response.refusal.delta', `${this.position},"delta":${JSON.stringify(text)}`);
  }
}
