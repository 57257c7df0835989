import { invalidRequest } from '../../../common/gateway.error.js';
import type { ContentPart } from '../../contract/chat.types.js';
import type { ContentBlock } from './converse.types.js';
import { documentBlock, imageBlock } from './media-blocks.js';
import { textBlocks } from './text-blocks.js';

/** What the user said. `path` is the content's, for errors; `documentNames` are those of the conversation so far. */
export function userBlocks(content: string | ContentPart[], path: string, documentNames: Set<string>): ContentBlock[] {
  if (typeof content === 'string') return textBlocks(content);
  const blocks = content.flatMap((part, index) => blocksOfPart(part, `${path}[${index}]`, documentNames));
  const document = blocks.find((block) => 'document' in block);
  if (!document || blocks.some((block) => 'text' in block)) return blocks;
  // A document is taken only with a text beside it.
  return [...blocks, { text: document.document.name }];
}

function blocksOfPart(part: ContentPart, path: string, documentNames: Set<string>): ContentBlock[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text);
    case 'image_url':
      return [imageBlock(part, path)];
    case 'file':
      return [documentBlock(part, path, documentNames)];
    default:
      throw invalidRequest('unsupported_value', path, 'This model does not take audio input.');
  }
}
