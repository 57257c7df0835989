import type { ChatCompletionChunk } from '../../../contract/chat.types.js';
import { rememberJson } from '../../../contract/chunk.reader.js';
import type { UpstreamEvent } from '../../../contract/provider.adapter.js';

/** Placeholder for the text while a frame is created; no API writes it. */
const MARK = '[[the text goes here]]';
/** Characters that must be escaped in JSON. */
const NEEDS_ESCAPE = /["\\\p{Cc}]/u;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** OpenAI pads events with random letters, which are not forwarded. */
const PADDING = ',"obfuscation":"';
const PADDING_END = /^\w*"\}$/;
/** Longer slices would keep the whole string in memory in V8. */
const MAX_COPIED_LENGTH = 12;

/**
 * The constant parts of a stream's text-only events, in the upstream's JSON and in ours. Most events differ only in
 * their text and need neither be parsed nor serialized.
 */
export class TextFrame {
  private constructor(
    private readonly event: string,
    private readonly before: string,
    /** Up to the end or the padding. */
    private readonly after: string,
    private readonly isPadded: boolean,
    private readonly chunk: ChatCompletionChunk,
    private readonly index: number,
    private readonly ours: readonly [string, string],
  ) {}

  /**
   * Learns the frame from an event whose chunk has one choice and only `content`. `textIn` finds the text in a parsed
   * event. Undefined if the position of the text is ambiguous.
   */
  static of(
    { event, data }: UpstreamEvent,
    chunk: ChatCompletionChunk,
    textIn: (parsed: unknown) => unknown,
  ): TextFrame | undefined {
    const [choice] = chunk.choices;
    const text = choice?.delta.content;
    if (!choice || !text || NEEDS_ESCAPE.test(text)) return undefined;
    const parsed: unknown = JSON.parse(data);
    const known = JSON.stringify(parsed);
    // The same text may occur elsewhere; only a replacement at the right position changes the result of `textIn`.
    for (let at = data.indexOf(`"${text}"`); at >= 0; at = data.indexOf(`"${text}"`, at + 1)) {
      const before = data.slice(0, at + 1);
      const rest = data.slice(at + 1 + text.length);
      const marked = parsedIfJson(before + MARK + rest);
      if (marked === undefined || textIn(marked) !== MARK) continue;
      if (JSON.stringify(marked).replace(MARK, () => text) !== known) continue;
      const paddingAt = rest.lastIndexOf(PADDING) + PADDING.length;
      const isPadded = paddingAt >= PADDING.length && PADDING_END.test(rest.slice(paddingAt));
      const like = { ...chunk, choices: [{ ...choice, delta: { content: MARK } }] };
      const [first, last, ...more] = JSON.stringify(like).split(MARK);
      if (first === undefined || last === undefined || more.length > 0) return undefined;
      const after = isPadded ? rest.slice(0, paddingAt) : rest;
      return new TextFrame(event, before, after, isPadded, chunk, choice.index, [first, last]);
    }
    return undefined;
  }

  /** The chunk of a matching event; undefined if it must be parsed. */
  read({ event, data }: UpstreamEvent): ChatCompletionChunk | undefined {
    const { before, after } = this;
    const start = before.length;
    // Comparing slices is faster than `startsWith`, which compares one character at a time.
    if (event !== this.event || data.slice(0, start) !== before) return undefined;
    const plainEnd = endOfPlainText(data, start);
    const end = data.charCodeAt(plainEnd) === BACKSLASH ? endOfText(data, plainEnd) : plainEnd;
    const rest = data.slice(end, end + after.length);
    if (end <= start || rest !== after || !this.endsWell(data, end + after.length)) return undefined;
    const text = data.slice(start, end);
    if (end === plainEnd) return this.chunkOf(text.length > MAX_COPIED_LENGTH ? textOf(text) : text, text);
    const content = textOf(text);
    return content === undefined ? undefined : this.chunkOf(content, JSON.stringify(content).slice(1, -1));
  }

  private chunkOf(content = '', json: string): ChatCompletionChunk {
    const choice = { index: this.index, delta: { content }, finish_reason: null };
    const chunk: ChatCompletionChunk = { ...this.chunk, choices: [choice] };
    rememberJson(chunk, this.ours[0] + json + this.ours[1]);
    return chunk;
  }

  private endsWell(data: string, at: number): boolean {
    return this.isPadded ? PADDING_END.test(data.slice(at)) : data.length === at;
  }
}

/** Not everything between quotes is a value: `:` for example. */
function parsedIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The end of a text, or of its part before the first escape or invalid character, which matches no frame. */
function endOfPlainText(json: string, start: number): number {
  let at = start;
  for (let code = json.charCodeAt(at); code >= 0x20 && code !== QUOTE && code !== BACKSLASH; ) {
    code = json.charCodeAt(++at);
  }
  return at;
}

/** The same for text with escapes, from the first one on. */
function endOfText(json: string, escapeAt: number): number {
  let at = escapeAt;
  while (json.charCodeAt(at) === BACKSLASH) at = endOfPlainText(json, at + 2);
  return at;
}

/** Undefined if it is not a JSON string. */
function textOf(text: string): string | undefined {
  return parsedIfJson(`"${text}"`) as string | undefined;
}
