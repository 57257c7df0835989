import type { ContentPart, FilePart, ImagePart, TextPart } from '../../../upstreams/contract/chat.types.js';
import type { DocumentBlock, ImageBlock, SearchResultBlock, TextBlock } from '../request/messages.types.js';
import { type CacheMark, cacheMark } from './cache-mark.js';
import type { Losses } from './losses.js';
import { isBlock } from './text-content.js';

/** A file of the provider's account stays one in the inner form, where the model's policy is checked. */
export function imagePart(block: ImageBlock, path: string, losses: Losses): (ImagePart | FilePart) & CacheMark {
  const { source } = block;
  const mark = cacheMark(block, losses);
  if (source.type === 'file') return { ...accountFile(source.file_id, path, losses), ...mark };
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
  return { type: 'image_url', image_url: { url }, ...mark };
}

/** PDFs become files. Text documents become text parts, which all models read. */
export function documentParts(block: DocumentBlock, path: string, losses: Losses): (ContentPart & CacheMark)[] {
  if (block.citations?.enabled) losses.drop(`${path}.citations`);
  const { source, title } = block;
  const mark = cacheMark(block, losses);
  switch (source.type) {
    case 'base64': {
      const file = { filename: title || 'document.pdf', file_data: `data:${source.media_type};base64,${source.data}` };
      return [{ type: 'file', file, ...mark }];
    }
    case 'text':
      return [{ ...document(block, source.data), ...mark }];
    case 'content':
      return contentParts(block, source.content, path, losses);
    case 'file':
      return [{ ...accountFile(source.file_id, path, losses), ...mark }];
    default:
      losses.refuse(`${path}.source.type`);
      return [];
  }
}

export function searchResultPart(block: SearchResultBlock, losses: Losses): TextPart & CacheMark {
  const { title, source, content } = block;
  const text = content.map((part) => part.text).join('\n');
  return { ...document({ title, context: source }, text), ...cacheMark(block, losses) };
}

function contentParts(
  block: DocumentBlock,
  content: string | readonly (TextBlock | ImageBlock)[],
  path: string,
  losses: Losses,
): (ContentPart & CacheMark)[] {
  if (typeof content === 'string') return [{ ...document(block, content), ...cacheMark(block, losses) }];
  const parts: ContentPart[] = [document(block, '')];
  content.forEach((part, index) => {
    if (isBlock(part, 'text')) parts.push({ type: 'text', text: part.text });
    else parts.push(imagePart(part, `${path}.source.content[${index}]`, losses));
  });
  return [...parts, { type: 'text', text: '</document>', ...cacheMark(block, losses) }];
}

/** The form that Anthropic recommends for documents in text. Without text, only its beginning. */
function document({ title, context }: Pick<DocumentBlock, 'title' | 'context'>, text: string): TextPart {
  const head = [title && `<title>${title}</title>`, context && `<source>${context}</source>`].filter(Boolean);
  const lines = ['<document>', ...head, ...(text === '' ? [] : [text, '</document>'])];
  return { type: 'text', text: lines.join('\n') };
}

function accountFile(id: string, path: string, losses: Losses): FilePart {
  losses.refuse(`${path}.source.type`);
  return { type: 'file', file: { file_id: id } };
}
