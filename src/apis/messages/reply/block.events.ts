import type { BlockStart, BlockWriter } from './block.writer.js';

/** Writes blocks as server-sent events, with indexes from 0. */
export class BlockEvents implements BlockWriter {
  private text = '';
  private index = -1;
  /** The beginning of a delta event, up to its content. */
  private beforeDelta = '';

  open(block: BlockStart): void {
    this.index++;
    const { kind, field } = DELTAS[block.type];
    const delta = `{"type":"content_block_delta","index":${this.index},"delta":{"type":"${kind}","${field}":`;
    this.beforeDelta = `event: content_block_delta\ndata: ${delta}`;
    this.event('content_block_start', { index: this.index, content_block: { ...block, ...EMPTY[block.type] } });
  }

  add(text: string): void {
    if (text !== '') this.text += `${this.beforeDelta}${JSON.stringify(text)}}}\n\n`;
  }

  close(signature?: string): void {
    const { index } = this;
    if (signature !== undefined) {
      this.event('content_block_delta', { index, delta: { type: 'signature_delta', signature } });
    }
    this.event('content_block_stop', { index });
  }

  event(type: string, fields: object): void {
    this.text += eventText(type, fields);
  }

  /** The text written since the last call. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }
}

export function eventText(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

const DELTAS = {
  text: { kind: 'text_delta', field: 'text' },
  thinking: { kind: 'thinking_delta', field: 'thinking' },
  tool_use: { kind: 'input_json_delta', field: 'partial_json' },
} as const;

const EMPTY = { text: { text: '' }, thinking: { thinking: '', signature: '' }, tool_use: { input: {} } } as const;
