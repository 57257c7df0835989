import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';
import type { ContentPart, FilePart, ImagePart, TextPart } from '../../../upstreams/contract/chat.types.js';
import { isObject, listOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import type {
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  SearchResultBlock,
  TextBlock,
} from '../request/messages.types.js';

/** A file of the provider's account stays one in the inner form, where the model's policy is checked. */
export function imageParts(block: ImageBlock, path: string, losses: Losses): ((ImagePart | FilePart) & CacheMark)[] {
  const { source } = block;
  const mark = cacheMark(block, losses);
  switch (source.type) {
    case 'base64':
      return [{ type: 'image_url', image_url: { url: `data:${source.media_type};base64,${source.data}` }, ...mark }];
    case 'url':
      return [{ type: 'image_url', image_url: { url: source.url }, ...mark }];
    case 'file':
      return [{ ...accountFile(source.file_id, path, losses), ...mark }];
    default:
      losses.refuseBlock(`${path}.source`);
      return [];
  }
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
      losses.refuseBlock(`${path}.source`);
      return [];
  }
}

export function searchResultPart(block: SearchResultBlock, path: string, losses: Losses): TextPart & CacheMark {
  const { title, source, content } = block;
  const unknown = content.findIndex((part) => !isBlock(part, 'text'));
  if (unknown >= 0) losses.refuseBlock(`${path}.content[${unknown}]`);
  for (const [index, part] of content.entries()) dropCitations(part, `${path}.content[${index}]`, losses);
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
    const at = `${path}.source.content[${index}]`;
    if (isBlock(part, 'text')) parts.push({ type: 'text', text: part.text });
    else if (isBlock(part, 'image')) parts.push(...imageParts(part, at, losses));
    else losses.refuseBlock(at);
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

export function isBlock<Type extends ContentBlock['type']>(
  block: ContentBlock,
  type: Type,
): block is Extract<ContentBlock, { type: Type }> {
  return block.type === type;
}

/** Empty for an empty text, as some APIs refuse empty texts. */
export function textPart(block: TextBlock, losses: Losses): (TextPart & CacheMark)[] {
  const { text } = block;
  return text === '' ? [] : [{ type: 'text', text, ...cacheMark(block, losses) }];
}

/** Citations of an answer that the client sends as its own text. */
export function dropCitations(block: object, path: string, losses: Losses): void {
  if ('citations' in block && listOf(block.citations).length > 0) losses.drop(`${path}.citations`);
}

/** A plain string if nothing is lost, as all APIs accept strings everywhere. */
export function textContent(parts: readonly (TextPart & CacheMark)[]): string | readonly TextPart[] {
  const [first, ...others] = parts;
  return first && others.length === 0 && first.cache_control === undefined ? first.text : parts;
}

export type CacheMark = { cache_control?: ReadonlyJsonObject };

/** The mark stays in the inner form: some translated targets read it, and the price of cache writes depends on it. */
export function cacheMark({ cache_control: mark }: { readonly cache_control?: unknown }, losses: Losses): CacheMark {
  if (!isObject(mark)) return {};
  losses.drop('cache_control');
  return { cache_control: mark };
}

/** Whether a block is the call or the result of a tool that the provider ran, or refers to a tool that a search found. */
export function isHostedTrace({ type }: { readonly type: string }): boolean {
  if (type === 'tool_reference') return true;
  return type === 'server_tool_use' || type === 'mcp_tool_use' || (type !== 'tool_result' && RESULT.test(type));
}

/** `web_search_tool_result`, `code_execution_tool_result`, `mcp_tool_result` … */
const RESULT = /_tool_result$/;

/** Collects what the translation of a request loses. */
export class Losses {
  /** Paths of the parts that have no effect on translated targets. */
  readonly untranslated = new Set<string>();
  /** The 400 for the first part that cannot be left out without changing the request's meaning. */
  untranslatable: GatewayError | null = null;

  drop(path: string): void {
    this.untranslated.add(path);
  }

  refuseBlock(path: string): void {
    this.refuse(`${path}.type`);
  }

  refuse(path: string): void {
    this.untranslatable ??= invalidRequest(
      'unsupported_parameter',
      path,
      `'${path}' is only supported by models whose provider has the Messages API. Remove it, or choose another model.`,
    );
  }
}
