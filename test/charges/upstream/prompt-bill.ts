import type { AnswerScript } from '../answer-script.js';
import type { PromptTokens } from './bill.js';
import type { CountTokens } from './tokenizer.js';

/** The tokens of media at this provider. */
const IMAGE = 765;
const SECOND_OF_SOUND = 32;
const PAGE = 1500;
export const SEARCH_RESULT = 5000;
const AROUND_MESSAGE = 3;

const BYTE_RATE_AT = 28;
const WAVE_HEAD = 44;

/** Fields that control a call and are not text for the model. */
const NOT_READ = new Set([
  ...['model', 'stream', 'stream_options', 'service_tier', 'max_tokens', 'max_completion_tokens', 'reasoning_effort'],
  ...['prompt_cache_options'],
  ...['include', 'store', 'max_output_tokens', 'n_predict', 'max_new_tokens', 'num_return_sequences'],
  ...['role', 'type', 'id', 'tool_call_id', 'tool_use_id', 'cache_control', 'temperature', 'thinking', 'user'],
]);

type Body = Readonly<Record<string, unknown>>;

interface Walk {
  readonly texts: string[];
  tokens: number;
  /** Tokens up to the cache mark, and how long they are kept. */
  marked: { tokens: number; ttl: string } | null;
}

/** All texts of a request, and the tokens of its prompt with its media. */
export function billPrompt(body: Body, count: CountTokens): Walk {
  const walk: Walk = { texts: [], tokens: AROUND_MESSAGE, marked: null };
  const { tools, system, messages, input, texts = [], ...others } = body;
  if (tools !== undefined) addText(walk, JSON.stringify(tools), count);
  if (system !== undefined) addContent(walk, system, count);
  if (typeof input === 'string') addText(walk, input, count);
  for (const text of texts as string[]) addText(walk, text, count);
  for (const message of (messages ?? (Array.isArray(input) ? input : [])) as Body[]) {
    const { content, ...beside } = message;
    walk.tokens += AROUND_MESSAGE;
    addContent(walk, content, count);
    addOthers(walk, beside, count);
  }
  addOthers(walk, others, count);
  return walk;
}

/** The parts of the prompt that are read from the cache or written to it. */
export function promptTokens(walk: Walk, script: AnswerScript, options: unknown): PromptTokens {
  const { marked } = walk;
  const { searches } = script;
  const once = walk.tokens + (script.pages ?? 0) * PAGE;
  // The model reads all of it again after each search, with the results so far.
  const tokens = once * (searches + 1) + SEARCH_RESULT * ((searches * (searches + 1)) / 2);
  if (marked) {
    if (script.mark === 'read') return { total: tokens, cached: marked.tokens, written: {} };
    return { total: tokens, cached: 0, written: { [marked.ttl]: marked.tokens } };
  }
  const { ttl = '30m' } = Object(options) as { ttl?: string };
  const written = Math.floor(tokens * script.written);
  return { total: tokens, cached: Math.floor(tokens * script.cached), written: written > 0 ? { [ttl]: written } : {} };
}

function addContent(walk: Walk, content: unknown, count: CountTokens): void {
  if (typeof content === 'string') addText(walk, content, count);
  if (!Array.isArray(content)) return;
  for (const part of content as Body[]) {
    addPart(walk, part, count);
    const { cache_control: mark } = part as { cache_control?: { ttl?: string } };
    if (mark) walk.marked = { tokens: walk.tokens, ttl: mark.ttl ?? '5m' };
  }
}

function addPart(walk: Walk, part: Body, count: CountTokens): void {
  const { type, ...rest } = part;
  if (type === 'image_url' || type === 'image') walk.tokens += IMAGE;
  else if (type === 'input_audio') walk.tokens += soundTokens((part.input_audio as { data: string }).data);
  else if (type === 'file') walk.tokens += pages((part.file as { file_data: string }).file_data) * PAGE;
  else if (type === 'document') walk.tokens += pages((part.source as { data: string }).data) * PAGE;
  else if (type === 'tool_result') addContent(walk, part.content, count);
  else addOthers(walk, rest, count);
}

/** Fields that contain text, or values as JSON. */
function addOthers(walk: Walk, fields: Body, count: CountTokens): void {
  for (const [name, value] of Object.entries(fields)) {
    if (NOT_READ.has(name) || value === null || typeof value === 'boolean') continue;
    addText(walk, typeof value === 'string' ? value : JSON.stringify(value), count);
  }
}

function addText(walk: Walk, text: string, count: CountTokens): void {
  walk.texts.push(text);
  walk.tokens += count(text);
}

function soundTokens(data: string): number {
  const bytes = Buffer.from(data, 'base64');
  return Math.ceil(((bytes.length - WAVE_HEAD) / bytes.readUInt32LE(BYTE_RATE_AT)) * SECOND_OF_SOUND);
}

/** For a PDF, as plain base64 or as a data URL. */
function pages(data: string): number {
  const text = Buffer.from(data.slice(data.indexOf(',') + 1), 'base64').toString('latin1');
  return text.split('/Type /Page\n').length - 1;
}
