import type {
  AssistantMessage,
  ChatMessage,
  ContentPart,
  FilePart,
  ImagePart,
  ToolCall,
} from '../../contract/chat.types.js';
import { isObject, type JsonObject, objectOf } from '../../contract/json.js';
import { claudeVersion, returnedThoughts, type Thought, trimEnd } from '../shared/claude.js';
import { base64Data, imageFormat, type TextContent, textsOf } from '../shared/data-url.js';
import { unsupported, unsupportedAudio } from '../shared/ignored-fields.js';
import { FUNCTION_NAMES } from '../shared/legacy-functions.js';
import { hashedId, ToolArguments, ToolCallIds, validName } from '../shared/tool-calls.js';
import { Turns } from '../shared/turns.js';
import type {
  CachePoint,
  ContentBlock,
  ConverseTurn,
  ImageBlock,
  TextBlock,
  ToolResultBlock,
} from './converse.types.js';
import { modelFamily } from './schema.js';

/** Names of documents in the conversation, and the number to try next for another one of that name. */
type DocumentNames = Map<string, number>;

export interface Conversation {
  system: TextBlock[];
  turns: ConverseTurn[];
}

/** Placeholders for texts that the API requires if the conversation has none. */
const NO_OUTPUT: TextBlock = { text: '(no output)' };
const SEPARATOR: TextBlock = { text: '.' };

/** Model families that accept tool results only without other content. */
const RESULTS_STAND_ALONE = new Set(['meta', 'mistral', 'writer']);

/**
 * Converts a conversation. System text is separate. Roles alternate; the user is first and, unless the answer is
 * `prefilled`, last. The tool results of one turn come together at the start of the next. Blank text is dropped.
 */
export function toMessages(
  messages: readonly ChatMessage[],
  upstreamModel: string,
  prefilled = false,
  marks = new CacheMarks(),
): Conversation {
  const family = modelFamily(upstreamModel);
  const turns = new ConverseTurns(RESULTS_STAND_ALONE.has(family));
  const ids = new ToolCallIds(validId);
  const toolArguments = new ToolArguments();
  const system: TextBlock[] = [];
  const documentNames: DocumentNames = new Map();

  messages.forEach((message, index) => {
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...marks.mark(textBlocks(message.content, marks), message));
        break;
      case 'user':
        turns.add(
          'user',
          marks.mark(userBlocks(message.content, `messages[${index}].content`, documentNames, marks), message),
        );
        break;
      case 'assistant':
        turns.add(
          'assistant',
          marks.mark(
            assistantBlocks(message, {
              ids,
              toolArguments,
              marks,
              signs: family === 'anthropic',
              path: `messages[${index}]`,
            }),
            message,
          ),
        );
        break;
      case 'tool':
        turns.addResult(toolResult(ids.ofResult(message.tool_call_id), message, `messages[${index}].content`, marks));
    }
  });

  const conversation = turns.withSystem(system, prefilled);
  if (prefilled) trimEnd(conversation.turns.at(-1)?.content);
  return conversation;
}

type ResultMessage = Extract<ChatMessage, { role: 'tool' }>;

/**
 * Text and images (`ToolResultContentBlock` in botocore). A part's cache mark moves to the whole result. `path`: the
 * content's path.
 */
function toolResult(toolUseId: string, message: ResultMessage, path: string, marks: CacheMarks): ToolResultBlock {
  const { content } = message;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  const blocks = parts.flatMap((part, index): (TextBlock | ImageBlock)[] =>
    part.type === 'text' ? textBlocks(part.text, marks) : [imageBlock(part, `${path}[${index}]`)],
  );
  const result = { toolResult: { toolUseId, content: blocks.length > 0 ? blocks : [NO_OUTPUT] } };
  marks.mark([result], message, ...parts);
  return result;
}

class ConverseTurns extends Turns<ContentBlock> {
  constructor(private readonly resultsStandAlone: boolean) {
    super((text) => ({ text }));
  }

  override add(role: ConverseTurn['role'], blocks: ContentBlock[]): void {
    const last = this.list.at(-1);
    const follows = last?.role === role && isResult(last.content.at(-1)) && blocks.length > 0;
    if (this.resultsStandAlone && follows) this.list.push({ role: 'assistant', content: [SEPARATOR] });
    super.add(role, blocks);
  }
}

function isResult(block: ContentBlock | undefined): boolean {
  return block !== undefined && 'toolResult' in block;
}

interface Context {
  ids: ToolCallIds;
  toolArguments: ToolArguments;
  marks: CacheMarks;
  /** Whether the model signs its reasoning. */
  signs: boolean;
  /** The message's path, for errors. */
  path: string;
}

/** Signed reasoning comes before the text and calls that follow from it. */
function assistantBlocks(message: AssistantMessage, context: Context): ContentBlock[] {
  const { signs, path, marks } = context;
  const { content, refusal, tool_calls: calls = [], audio } = message;
  const [first, ...others] = calls;
  const blocks = first && signs ? thoughtBlocks(returnedThoughts(first, message)) : [];
  blocks.push(...textBlocks(content, marks), ...textBlocks(refusal, marks));
  if (first) blocks.push(toolUse(first, context));
  for (const call of others) {
    if (signs) blocks.push(...thoughtBlocks(returnedThoughts(call)));
    blocks.push(toolUse(call, context));
  }
  if (blocks.length === 0 && audio) throw unsupportedAudio(path);
  return blocks;
}

function thoughtBlocks(thoughts: readonly Thought[]): ContentBlock[] {
  return thoughts.map((thought) => ({
    reasoningContent:
      thought.type === 'thinking'
        ? { reasoningText: { text: thought.thinking, signature: thought.signature } }
        : { redactedContent: thought.data },
  }));
}

function toolUse(call: ToolCall, { ids, toolArguments, marks }: Context): ContentBlock {
  const { name, input } = toolArguments.of(call);
  const block = { toolUse: { toolUseId: ids.ofCall(call.id), name: validName(name, FUNCTION_NAMES), input } };
  marks.mark([block], call);
  return block;
}

/** Ids are short and contain letters, digits, `_` and `-`. */
function validId(id: string, nth: number): string {
  const own = nth === 1 ? id : `${id} ${nth}`;
  return /^[A-Za-z0-9_-]{1,64}$/.test(own) ? own : hashedId(own);
}

/** `path`: the content's path, for errors. `documentNames`: names used earlier in the conversation. */
function userBlocks(
  content: string | readonly ContentPart[],
  path: string,
  documentNames: DocumentNames,
  marks: CacheMarks,
): ContentBlock[] {
  if (typeof content === 'string') return textBlocks(content, marks);
  const blocks = content.flatMap((part, index) =>
    marks.mark(blocksOfPart(part, `${path}[${index}]`, documentNames), part),
  );
  const document = blocks.find((block) => 'document' in block);
  if (!document || blocks.some((block) => 'text' in block)) return blocks;
  // The API requires text with a document.
  return [...blocks, { text: document.document.name }];
}

function blocksOfPart(part: ContentPart, path: string, documentNames: DocumentNames): ContentBlock[] {
  switch (part.type) {
    case 'text':
      return plainTextBlocks(part.text);
    case 'image_url':
      return [imageBlock(part, path)];
    case 'file':
      return [documentBlock(part, path, documentNames)];
    default:
      throw unsupported(path, 'This model does not accept audio input.');
  }
}

function textBlocks(content: TextContent, marks: CacheMarks): TextBlock[] {
  if (!Array.isArray(content)) return textsOf(content).flatMap(plainTextBlocks);
  return content.flatMap((part) => marks.mark(textsOf([part]).flatMap(plainTextBlocks), part));
}

/** The API refuses blank text. */
function plainTextBlocks(text: string): TextBlock[] {
  return text.trim() === '' ? [] : [{ text }];
}

const DOCUMENT_FORMATS = new Map([
  ['application/pdf', 'pdf'],
  ['application/x-pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
]);
const EXTENSIONS = new Set(DOCUMENT_FORMATS.values());

/** `path`: the part's path, for errors. */
function imageBlock({ image_url: { url } }: ImagePart, path: string): ImageBlock {
  const image = base64Data(url);
  if (!image) throw unsupported(`${path}.image_url.url`, "Send the image as a base64 'data:' URL.");
  const format = imageFormat(image.mediaType);
  if (!format) throw unsupported(`${path}.image_url.url`, 'This model accepts only PNG, JPEG, GIF and WebP images.');
  return { image: { format, source: { bytes: image.data } } };
}

/** `names`: the names of all documents so far, as names must be unique. The new name is added. */
function documentBlock({ file }: FilePart, path: string, names: DocumentNames): ContentBlock {
  const content = file.file_data;
  if (!content) throw unsupported(`${path}.file`, "Send the file's content as 'file_data'.");
  const { mediaType, data } = base64Data(content) ?? { mediaType: '', data: content };
  const filename = file.filename ?? '';
  const format = documentFormat(mediaType, filename, data);
  if (!format) {
    const kinds = [...EXTENSIONS].join(', ');
    throw unsupported(`${path}.file.file_data`, `This model accepts only these file types: ${kinds}.`);
  }
  return { document: { format, name: documentName(filename, names), source: { bytes: data } } };
}

function documentFormat(mediaType: string, filename: string, data: string): string | undefined {
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  const format = DOCUMENT_FORMATS.get(mediaType);
  if (format !== undefined) return format;
  if (EXTENSIONS.has(extension)) return extension;
  // The start of a PDF in base64.
  return data.startsWith('JVBERi0') ? 'pdf' : undefined;
}

/** Names may contain letters, digits, single spaces, hyphens, parentheses and square brackets. */
function documentName(filename: string, names: DocumentNames): string {
  const stem = filename.replace(/\.[A-Za-z0-9]+$/, '');
  const valid = stem.replace(/[^A-Za-z0-9()[\]-]+/g, ' ').trim();
  const name = valid.slice(0, 150) || 'document';
  let unique = name;
  let number = names.get(name) ?? 2;
  for (; names.has(unique); number += 1) unique = `${name} ${number}`;
  names.set(name, number);
  if (unique !== name) names.set(unique, 2);
  return unique;
}

/** Where a model takes cache points (docs.aws.amazon.com, Bedrock's "Prompt caching", "Supported models"). */
interface CacheAbility {
  readonly inTools: boolean;
  /** Whether content can be cached for an hour; otherwise for five minutes. */
  readonly forAnHour: boolean;
}

/** Undefined if the model takes none. */
function cacheAbility(model: string): CacheAbility | undefined {
  const family = modelFamily(model);
  if (family === 'amazon') return model.includes('nova-') ? { inTools: false, forAnHour: false } : undefined;
  if (family !== 'anthropic') return undefined;
  const version = claudeVersion(model);
  const takesAny = version >= 307 || model.includes('claude-3-5-haiku');
  return takesAny ? { inTools: true, forAnHour: version >= 405 } : undefined;
}

/** The maximum number of cache points in one request. */
const MAX_POINTS = 4;

interface Mark {
  readonly forAnHour: boolean;
}

/**
 * The caller's cache marks: Anthropic's `cache_control` or OpenAI's `prompt_cache_breakpoint` in content parts,
 * messages, tool calls and tools. Each becomes a cache point behind its block.
 */
export class CacheMarks {
  private readonly marks = new Map<object, Mark>();
  private placed = 0;

  /** Whether marks were left out, as the model does not take them. */
  get areLeftOut(): boolean {
    return this.placed < this.marks.size;
  }

  /** Marks the last block if one of `sources` has a mark. Returns the blocks. */
  mark<Block extends object>(blocks: Block[], ...sources: readonly object[]): Block[] {
    const last = blocks.at(-1);
    const mark = sources.map(markOf).find((found) => found !== undefined);
    if (last && mark) this.marks.set(last, mark);
    return blocks;
  }

  /** Adds the cache points to the lists; a prompt consists of its tools, system text and messages, in this order. */
  place(model: string, tools: JsonObject[], system: (TextBlock | CachePoint)[], turns: readonly ConverseTurn[]): void {
    const ability = cacheAbility(model);
    if (!ability) return;
    const lists: object[][] = [...(ability.inTools ? [tools] : []), system, ...turns.map(({ content }) => content)];
    // The last points count most, as each covers everything before it.
    const marked = lists.flat().filter((block) => this.marks.has(block));
    const used = new Set(marked.slice(-MAX_POINTS));
    // A point may not outlive those before it.
    let forAnHour = ability.forAnHour;
    for (const list of lists) {
      const withPoints = list.flatMap((block) => {
        const mark = used.has(block) ? this.marks.get(block) : undefined;
        if (!mark) return [block];
        forAnHour &&= mark.forAnHour;
        return [block, cachePoint(forAnHour)];
      });
      list.splice(0, list.length, ...withPoints);
    }
    this.placed = used.size;
  }
}

function cachePoint(forAnHour: boolean): CachePoint {
  return { cachePoint: { type: 'default', ...(forAnHour && { ttl: '1h' as const }) } };
}

function markOf(source: object): Mark | undefined {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = objectOf(source);
  if (isObject(control)) return { forAnHour: control.ttl === '1h' };
  return isObject(breakpoint) ? { forAnHour: breakpoint.ttl === '12h' } : undefined;
}
