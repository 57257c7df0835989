import type { JsonObject } from '../../../upstreams/contract/json.js';
import type { EventWriter } from './event.writer.js';
import { type MessagePart, RefusalPart, TextPart } from './message.part.js';
import { OutputItem } from './output.item.js';

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
