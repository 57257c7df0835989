import { parseIfJson } from '../../../json/parse-if-json.js';
import { isObject } from '../../../upstreams/contract/json.js';
import type { BlockStart, BlockWriter } from './block.writer.js';

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
