import { countOf, isObject, type JsonObject } from '../../../upstreams/contract/json.js';
import { OutputItem } from './output.item.js';
import type { EventWriter } from './response.envelope.js';

/** `{"type": "message"}`: the model's text and refusals, as parts. */
export class MessageItem extends OutputItem {
  readonly isOver = true;
  private readonly parts: MessagePart[] = [];

  /** The part for new text. `start`: the length of the answer's text before it. */
  textPart(start: number): TextPart {
    const last = this.parts.at(-1);
    return last instanceof TextPart ? last : this.begin(new TextPart(this.parts.length, start));
  }

  refusalPart(): RefusalPart {
    const last = this.parts.at(-1);
    return last instanceof RefusalPart ? last : this.begin(new RefusalPart(this.parts.length));
  }

  textParts(): TextPart[] {
    return this.parts.filter((part) => part instanceof TextPart);
  }

  toJson(): JsonObject {
    return { ...this.begun(), status: this.status, content: this.parts.map((part) => part.toJson()) };
  }

  protected begun(): JsonObject {
    return { id: this.id, type: 'message', status: this.status, role: 'assistant', content: [] };
  }

  protected writeCollected(events: EventWriter): void {
    for (const part of this.parts) {
      part.open(events, this.position);
      if (part !== this.parts.at(-1)) part.close();
    }
  }

  protected writeEnd(): void {
    this.parts.at(-1)?.close();
  }

  private begin<Part extends MessagePart>(part: Part): Part {
    if (this.events) {
      this.parts.at(-1)?.close();
      part.open(this.events, this.position);
    }
    this.parts.push(part);
    return part;
  }
}

/** A part of a message; see `OutputItem` for `open` and `close`. */
abstract class MessagePart {
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

class TextPart extends MessagePart {
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

class RefusalPart extends MessagePart {
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

/** Chat's nested citation → a flat one relative to the text from `start` to `end`; undefined outside that text. */
export function toAnnotation({ type, url_citation: citation }: JsonObject, start: number, end: number) {
  if (type !== 'url_citation' || !isObject(citation) || typeof citation.url !== 'string') return undefined;
  const { url, title } = citation;
  const from = countOf(citation.start_index) ?? start;
  const to = countOf(citation.end_index) ?? from;
  if (from < start || from > end) return undefined;
  const within = { start_index: from - start, end_index: Math.min(to, end) - start };
  return { type, url, title: typeof title === 'string' ? title : '', ...within };
}
