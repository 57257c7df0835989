import { inflateSync } from 'node:zlib';

/** Readers of base64 disagree about other characters, and about what follows its end. */
export const NOT_BASE64 = /[^A-Za-z\d+/\s=]|=\s*[^=\s]/;
/** In base64 characters. Larger documents are not read. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** For all documents of a request: bytes to inflate, names to look at, and streams. */
const MAX_INFLATED = 8 * 1024 * 1024;
const MOST_NAMES = 500_000;
const MOST_STREAMS = 5000;
/** What starting to inflate costs, in the time of as many bytes. */
const BYTES_PER_STREAM = 2048;
const LONGEST_DICTIONARY = 2000;
/** Encoded characters in the names of a dictionary: nobody needs them. */
const MOST_ENCODED = 20;
/** More exceed the context of every model. */
const MOST_PAGES = 2000;
const MOST_LISTS = 5000;
const LONGEST_LIST = 100_000;
const MOST_CONTENTS = 20_000;
const MOST_DRAWN = 10_000;
const MOST_BYTES = 100_000_000;

/** Names that tell the size, at a slash. */
const TELLING = new RegExp(
  [
    `(${named('Encrypt')})`,
    `(${named('ObjStm')})`,
    `(${named('Type')}\\s*${named('Page')}(?![A-Za-z#]))`,
    `(${named('Subtype')}\\s*${named('Form')}(?![A-Za-z#]))`,
    `(${named('Kids')})\\s*(\\[[^[\\]]*\\])?`,
    `(${named('Contents')})\\s*(\\[[^[\\]]*\\]|\\d{1,10}\\s+\\d{1,5}\\s+R|[(<])?`,
    `(${named('ToUnicode')})\\s*(?:(\\d{1,10})\\s+\\d{1,5}\\s+R)?`,
    `(${named('ActualText')})`,
    `(${named('Properties')})`,
  ].join('|'),
  'y',
);
const INITIALS: ReadonlySet<number> = new Set([...'EOTSKCAP#'].map((initial) => initial.charCodeAt(0)));
const REFERENCES = /^\[?\s*(?:\d{1,10}\s+\d{1,5}\s+R\s*)*\]?$/;
const REFERENCE = /(\d{1,10})\s+\d{1,5}\s+R/g;
/** The beginning of an object, on a line of its own or after another one. */
const HEAD = /(?:^|[\r\n]|endobj[ \t]*)[ \t]*(\d{1,10})\s+\d{1,5}\s+$/;
/** Also U+0000, which is a space in a PDF; found from the left only where no other space comes before. */
const SPACES_AT_THE_END = /(?<![\0\s])[\0\s]+$/;
const FLATE = /\/Filter\s*(?:\/FlateDecode|\[\s*\/FlateDecode\s*\])(?![^\s/<>[\]()])/;
const FILTERS = /\/(?:F|Filter|DP|DecodeParms|[A-Za-z0-9]*Decode|Crypt)(?![^\s/<>[\]()])/g;
const SUBTYPES = /\/Subtype(?![A-Za-z])\s*(\/[A-Za-z0-9]*)?/g;
/** What a font's codes mean, in hexadecimal UTF-16. Readers skip other characters. */
const MEANINGS = /<([^<>]*)>/g;
const DIGITS_PER_CHARACTER = 4;
const OCTAL = /[0-7]/;
const [OPENING, CLOSING, BACKSLASH, LESS, GREATER] = [...'()\\<>'].map((character) => character.charCodeAt(0));
/** Readers also accept object streams without their type. */
const OBJECT_STREAM = /\/(?:ObjStm|First)(?![A-Za-z])/;

export interface PdfSize {
  readonly pages: number;
  /** An upper bound of the inflated content that its pages draw. */
  readonly contentBytes: number;
  /** The part of it that is text. Zero if the reader does not look for text. */
  readonly textBytes: number;
  /** The most characters that one byte of the content can mean (`ToUnicode` maps of the fonts). */
  readonly charactersPerByte: number;
}

interface PdfStream {
  readonly id: string;
  /** With its names decoded. */
  readonly dictionary: string;
  readonly data: Buffer;
}

interface Drawing {
  readonly bytes: number;
  readonly text: number;
  /** How often it draws a form or an image. */
  readonly drawn: number;
}

interface PdfNames {
  objectStreams: number;
  forms: number;
  pages: number;
  lists: number;
  readonly kids: Set<string>;
  /** The streams of all pages, as often as they are named. */
  readonly contents: string[];
  /** The maps from codes to text. */
  readonly maps: Set<string>;
  /** Whether a text can stand for content, and whether content can name what is elsewhere. */
  hasTexts: boolean;
  hasProperties: boolean;
}

/**
 * Reads the PDFs of one request, with bounds for all of them together: whatever they contain, they take a time in
 * proportion to their length, but no longer than one large document.
 */
export class PdfReader {
  private inflatable = MAX_INFLATED;
  private names = MOST_NAMES;
  private streams = MOST_STREAMS;

  constructor(private readonly countsText = false) {}

  /**
   * Upper bounds of a PDF's pages (ISO 32000-1, 7.7.3: a tree of `Pages` whose `Kids` are its branches and pages), also
   * if the tree is in compressed object streams, and of what they show. `base64` may be a data URL. Null: unknown.
   */
  sizeOf(base64: string): PdfSize | null {
    if (base64.length > MAX_LENGTH) return null;
    const data = base64.slice(base64.startsWith('data:') ? base64.indexOf(',') + 1 : 0);
    if (NOT_BASE64.test(data)) return null;
    const bytes = Buffer.from(data, 'base64');
    const file = bytes.toString('latin1');
    const names: PdfNames = {
      objectStreams: 0,
      forms: 0,
      pages: 0,
      lists: 0,
      kids: new Set(),
      contents: [],
      maps: new Set(),
      hasTexts: false,
      hasProperties: false,
    };
    if (!file.startsWith('%PDF-') || !this.readNames(file, names)) return null;
    const streams = this.streamsIn(file, bytes);
    if (!streams) return null;
    const objects = streams.filter(({ dictionary }) => OBJECT_STREAM.test(dictionary));
    if (objects.length < names.objectStreams) return null;
    for (const stream of objects) {
      const text = this.inflated(stream);
      if (text === null || !this.readNames(text, names)) return null;
    }
    const pages = Math.max(names.pages, names.kids.size);
    const hasTextsElsewhere = names.hasTexts && names.hasProperties;
    if (names.kids.size === 0 || pages >= MOST_PAGES || hasTextsElsewhere) return null;
    const content = this.contentOf(streams, names.contents, names.forms);
    const charactersPerByte = this.charactersPerByte(streams, names.maps);
    if (content === null || charactersPerByte === null) return null;
    return { pages, contentBytes: content.bytes, textBytes: content.text, charactersPerByte };
  }

  /** Adds what a text tells; false: the document cannot be known. */
  private readNames(text: string, found: PdfNames): boolean {
    for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
      if (this.names-- <= 0) return false;
      if (!INITIALS.has(text.charCodeAt(at + 1))) continue;
      TELLING.lastIndex = at;
      const match = TELLING.exec(text);
      if (match && !addName(match, found)) return false;
    }
    return true;
  }

  private streamsIn(file: string, bytes: Buffer): PdfStream[] | null {
    const streams: PdfStream[] = [];
    let end = 0;
    for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', end)) {
      if (this.streams-- <= 0) return null;
      const before = beforeKeyword(file, end, at);
      if (before === null) return null;
      // The word within a text.
      if (!before.endsWith('>>')) {
        end = at + 'stream'.length;
        continue;
      }
      const head = before.lastIndexOf('obj');
      const [, id] = HEAD.exec(before.slice(Math.max(0, head - 40), head)) ?? [];
      const written = before.slice(head);
      if (countOf('#', written) > MOST_ENCODED) return null;
      const dictionary = written.replace(/#([\da-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
      // A beginning in a text or a comment.
      if (head < 0 || id === undefined || /[()\\%]/.test(dictionary.replace(/\([^()\\]*\)/g, ''))) return null;
      end = file.indexOf('endstream', at);
      if (end < 0) return null;
      // One that begins in a text may hide others.
      for (let inner = file.indexOf('stream', at + 1); inner < end; inner = file.indexOf('stream', inner + 1)) {
        if (this.streams-- <= 0 || (beforeKeyword(file, at, inner) ?? '>>').endsWith('>>')) return null;
      }
      const start = at + (file.startsWith('stream\r\n', at) ? 8 : 7);
      streams.push({ id, dictionary, data: bytes.subarray(start, end) });
      end += 'endstream'.length;
    }
    return streams;
  }

  /** Null for filters other than exactly one, and beyond the bound. */
  private inflated({ dictionary, data }: PdfStream): string | null {
    const filters = dictionary.match(FILTERS)?.length ?? 0;
    if (filters > 0 && (filters !== 2 || !FLATE.test(dictionary))) return null;
    this.inflatable -= BYTES_PER_STREAM;
    try {
      const most = Math.max(1, this.inflatable);
      const content = filters === 0 ? data : inflateSync(data, { maxOutputLength: most });
      this.inflatable -= content.length;
      return this.inflatable < 0 ? null : content.toString('latin1');
    } catch {
      // Whatever it was, that much may have been inflated.
      this.inflatable = 0;
      return null;
    }
  }

  /** Forms are content that others draw by name, any number of times; whichever is drawn counts as the largest. */
  private contentOf(streams: readonly PdfStream[], contents: readonly string[], forms: number): Drawing | null {
    const streamsById = Map.groupBy(streams, ({ id }) => id);
    const sizes = new Map<string, Drawing>();
    const total = { bytes: 0, text: 0, drawn: 0 };
    for (const id of contents) {
      const size = sizes.get(id) ?? this.sumOf(streamsById.get(id) ?? []);
      if (size === null) return null;
      sizes.set(id, size);
      total.bytes += size.bytes;
      total.text += size.text;
      total.drawn += size.drawn;
    }
    if (total.drawn === 0) return total;
    const drawable = streams.filter(({ dictionary }) => mayBeForm(dictionary));
    if (drawable.length < forms) return null;
    const largest = { bytes: 0, text: 0, drawn: 0 };
    for (const form of drawable) {
      const size = this.sumOf([form]);
      if (size === null) return null;
      largest.bytes = Math.max(largest.bytes, size.bytes);
      largest.text = Math.max(largest.text, size.text);
      largest.drawn = Math.max(largest.drawn, size.drawn);
    }
    // Forms can be within forms, as deep as there are forms.
    for (let level = 0; level < drawable.length && total.drawn > 0; level++) {
      total.bytes += total.drawn * largest.bytes;
      total.text += total.drawn * largest.text;
      total.drawn *= largest.drawn;
      if (total.bytes > MOST_BYTES) return null;
    }
    return total;
  }

  /** The longest text of a code counts for all codes of all fonts. Null: a map that cannot be read. */
  private charactersPerByte(streams: readonly PdfStream[], maps: ReadonlySet<string>): number | null {
    let longest = DIGITS_PER_CHARACTER;
    for (const stream of streams) {
      if (!maps.has(stream.id)) continue;
      const text = this.inflated(stream);
      if (text === null) return null;
      for (const [, digits = ''] of text.matchAll(MEANINGS))
        longest = Math.max(longest, digits.replace(/[^\da-fA-F]+/g, '').length);
    }
    return longest / DIGITS_PER_CHARACTER;
  }

  /** Null: an object that is no stream, or a stream that cannot be read. */
  private sumOf(streams: readonly PdfStream[]): Drawing | null {
    const sum = { bytes: 0, text: 0, drawn: 0 };
    for (const stream of streams) {
      const text = this.inflated(stream);
      if (text === null) return null;
      sum.bytes += text.length;
      if (this.countsText) sum.text += textBytesIn(text);
      sum.drawn += countOf('Do', text);
    }
    return streams.length > 0 && sum.drawn < MOST_DRAWN ? sum : null;
  }
}

/** What stands before the word `stream`, without spaces; null: maybe a comment. */
function beforeKeyword(file: string, from: number, at: number): string | null {
  const raw = file.slice(Math.max(from, at - LONGEST_DICTIONARY), at);
  const before = raw.replace(SPACES_AT_THE_END, '');
  if (before.endsWith('>>') || !/[\r\n]/.test(raw.slice(before.length))) return before;
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
  const isCut = line === before && before.length > LONGEST_DICTIONARY / 2;
  return line.includes('%') || isCut ? null : before;
}

/** False: the tree cannot be known. */
function addName(match: RegExpExecArray, found: PdfNames): boolean {
  const [, encrypted, objectStream, page, form, kids, list, contents, content, ...others] = match;
  const [toUnicode, map, actualText, properties] = others;
  if (encrypted !== undefined) return false;
  if (objectStream !== undefined) found.objectStreams++;
  if (page !== undefined) found.pages++;
  if (form !== undefined) found.forms++;
  if (actualText !== undefined) found.hasTexts = true;
  if (properties !== undefined) found.hasProperties = true;
  if (toUnicode !== undefined && map === undefined) return false;
  if (map !== undefined) found.maps.add(map);
  // The contents of an annotation are a text.
  const named = kids === undefined ? content : list;
  if ((kids ?? contents) === undefined || (contents !== undefined && (named === '(' || named === '<'))) return true;
  // The list is elsewhere, or has something else than references.
  if (named === undefined || named.length > LONGEST_LIST || !REFERENCES.test(named)) return false;
  for (const [, id = ''] of named.matchAll(REFERENCE)) {
    if (kids === undefined) found.contents.push(id);
    // A page that occurs again, or a later version of the tree.
    else if (found.kids.has(id)) return false;
    else found.kids.add(id);
  }
  return ++found.lists <= MOST_LISTS && found.kids.size <= MOST_PAGES && found.contents.length <= MOST_CONTENTS;
}

/** Whether a stream says that it is a form, or does not say what it is in a way that is read here. */
function mayBeForm(dictionary: string): boolean {
  const subtypes = [...dictionary.matchAll(SUBTYPES)].map(([, subtype]) => subtype);
  return subtypes.some((subtype) => subtype === undefined || subtype === '/Form');
}

function countOf(word: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < MOST_DRAWN; at = text.indexOf(word, at + 1)) count++;
  return count;
}

/** The length of a content's texts, such as `(a (b) \\) c)` and `<6162>`, at least. */
function textBytesIn(content: string): number {
  let [bytes, depth, isHex] = [0, 0, false];
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at);
    if (depth > 0) {
      bytes++;
      if (code === BACKSLASH) at += lengthOfEscape(content, at + 1);
      else if (code === OPENING) depth++;
      else if (code === CLOSING) depth--;
    } else if (code === OPENING) depth = 1;
    else if (code === LESS) isHex = true;
    else if (code === GREATER) isHex = false;
    else if (isHex) bytes += 0.5;
  }
  return Math.ceil(bytes);
}

/** Behind a backslash: up to three octal digits, or any other character. */
function lengthOfEscape(content: string, at: number): number {
  let length = 0;
  while (length < 3 && OCTAL.test(content.charAt(at + length))) length++;
  return Math.max(length, 1);
}

/** The pattern of a name whose characters may be encoded, such as `/K#69ds`. */
function named(name: string): string {
  const characters = [...name].map((character) => {
    const hex = character.charCodeAt(0).toString(16);
    return `(?:${character}|#${hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
  });
  return `/${characters.join('')}`;
}

/** The length of a RIFF/WAVE header. */
const HEAD_BYTES = 44;
/** Integers and floats. */
const UNCOMPRESSED: ReadonlySet<number> = new Set([1, 3]);
/** Compressed audio: 32 kbit/s, so that durations are not underestimated. */
const MIN_BYTES_PER_SECOND = 4000;
const CHARACTERS_PER_BYTE = 4 / 3;

/** The duration of base64 audio in seconds: from the header of uncompressed WAV, else an upper bound from its size. */
export function audioSeconds(data: string): number {
  const bytes = data.length / CHARACTERS_PER_BYTE;
  const head = Buffer.from(data.slice(0, Math.ceil(HEAD_BYTES * CHARACTERS_PER_BYTE)), 'base64');
  const rate = (head.length >= HEAD_BYTES && uncompressedRate(head)) || MIN_BYTES_PER_SECOND;
  // Implausible byte rates are capped.
  return bytes / Math.min(Math.max(rate, MIN_BYTES_PER_SECOND), MAX_BYTES_PER_SECOND);
}

/** Bytes per second; null for other formats. The rate that the header states can be wrong, as players do not use it. */
function uncompressedRate(head: Buffer): number | null {
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 16) !== 'WAVEfmt ') return null;
  const [format, channels, bits] = [20, 22, 34].map((at) => head.readUInt16LE(at)) as [number, number, number];
  return UNCOMPRESSED.has(format) ? (head.readUInt32LE(24) * channels * bits) / 8 : null;
}

/** 192 kHz, two channels, 32 bits. */
const MAX_BYTES_PER_SECOND = 1_536_000;
