import { parseIfJson } from '../../../json/exact-json.js';
import { isObject } from '../../../upstreams/contract/json.js';

/** Collects blocks as the JSON of `content` of an answer that is not streamed. */
export class BlockList implements BlockWriter {
  private readonly blocks: string[] = [];
  private block: BlockStart | undefined;
  private text = '';

  open(block: BlockStart): void {
    this.block = block;
    this.text = '';
  }

  add(text: string): void {
    this.text += text;
  }

  close(signature?: string): void {
    if (this.block) this.blocks.push(blockJson(this.block, this.text, signature));
    this.block = undefined;
  }

  get json(): string {
    return `[${this.blocks.join(',')}]`;
  }
}

function blockJson(block: BlockStart, text: string, signature: string | undefined): string {
  switch (block.type) {
    case 'text':
      return JSON.stringify({ ...block, text });
    case 'thinking':
      return JSON.stringify({ ...block, thinking: text, signature });
    case 'tool_use':
      return `${JSON.stringify(block).slice(0, -1)},"input":${inputJson(text)}}`;
  }
}

/** The arguments as the model wrote them, so that large integers keep all digits. Text that is no object: `_raw`. */
function inputJson(text: string): string {
  if (text.trim() === '') return '{}';
  return isObject(parseIfJson(text)) ? text : JSON.stringify({ _raw: text });
}

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

/** The beginning of a content block. */
type BlockStart =
  | { readonly type: 'text' | 'thinking' }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string };

/** Writes the content of an answer, one block at a time. */
export interface BlockWriter {
  open(block: BlockStart): void;
  /** More text, thinking or input of the open block. */
  add(text: string): void;
  /** `signature`: of a thinking block. */
  close(signature?: string): void;
}
