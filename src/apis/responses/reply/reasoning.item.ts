import type { JsonObject } from '../../../upstreams/contract/json.js';
import { encodeReasoning } from '../../shared/carried-reasoning.js';
import { OutputItem } from './output.item.js';
import type { EventWriter } from './response.envelope.js';

/** The parts of the reasoning that the client requested. */
export interface ShownReasoning {
  /** `reasoning.summary` */
  readonly summary: boolean;
  /** `include: ["reasoning.encrypted_content"]` */
  readonly encrypted: boolean;
}

/** `{"type": "reasoning"}`: the model's reasoning as a summary, and the data that its provider needs back. */
export class ReasoningItem extends OutputItem {
  readonly isOver = true;
  /** `extra_content` of the next tool call. */
  ofCall: JsonObject | undefined;
  /** Fields of the whole message. */
  ofMessage: JsonObject | undefined;
  private text = '';
  private hasPart = false;

  constructor(
    id: string,
    index: number,
    private readonly shown: ShownReasoning,
  ) {
    super(id, index);
  }

  add(text: string): void {
    this.text += text;
    if (this.events && this.shown.summary) this.writeText(this.events, text);
  }

  toJson(): JsonObject {
    return {
      ...this.begun(),
      summary: this.shown.summary && this.text !== '' ? [{ type: 'summary_text', text: this.text }] : [],
      ...(this.shown.encrypted && { encrypted_content: this.encrypted() }),
      status: this.status,
    };
  }

  protected begun(): JsonObject {
    return { id: this.id, type: 'reasoning', summary: [] };
  }

  protected writeCollected(events: EventWriter): void {
    if (this.shown.summary && this.text !== '') this.writeText(events, this.text);
  }

  protected writeEnd(events: EventWriter): void {
    if (!this.hasPart) return;
    const position = `${this.position},"summary_index":0`;
    const text = JSON.stringify(this.text);
    events.write('response.reasoning_summary_text.done', `${position},"text":${text}`);
    events.write('response.reasoning_summary_part.done', `${position},"part":{"type":"summary_text","text":${text}}`);
  }

  private writeText(events: EventWriter, text: string): void {
    const position = `${this.position},"summary_index":0`;
    if (!this.hasPart) {
      events.write('response.reasoning_summary_part.added', `${position},"part":{"type":"summary_text","text":""}`);
    }
    this.hasPart = true;
    events.write('response.reasoning_summary_text.delta', `${position},"delta":${JSON.stringify(text)}`);
  }

  /** Includes the text if there is no summary, for providers that need their own text back. */
  private encrypted(): string {
    const hidden = !this.shown.summary && this.text !== '' ? { reasoning_content: this.text } : {};
    const message = { ...this.ofMessage, ...hidden };
    return encodeReasoning({
      ...(this.ofCall && { call: this.ofCall }),
      ...(Object.keys(message).length > 0 && { message }),
    });
  }
}
