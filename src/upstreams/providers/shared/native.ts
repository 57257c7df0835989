import { parseIfJson } from '../../../json/exact-json.js';
import { type MemberEdits, textMember, withMembers } from '../../../json/json-members.js';
import { JsonShape } from '../../../json/json-shape.js';
import type { ChatCompletionChunk, NativeEvents } from '../../contract/chat.types.js';
import { ChunkReader, type CreateReader, chunkOf, noteAnswerId } from '../../contract/chunk.reader.js';
import { type JsonObject, objectOf, type ReadonlyJsonObject, textsIn } from '../../contract/json.js';
import type { HostedCallLimits, ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { unreadable, upstreamIncomplete } from '../../contract/upstream.error.js';
import { outputLimit } from './request-fields.js';

/** How to handle the events of a native stream. `name`: the type of an event. */
export interface NativeStreamForm {
  /** Whether an event precedes the model's answer, so that the upstream may still refuse the request. */
  isPreamble(name: string): boolean;
  /** Changes of an event for the client; null: none. */
  edits(name: string, call: ProviderCall, data: string): MemberEdits | null;
  /** The events in which output may come whole, without deltas. */
  readonly wholes: string;
  /** The output in such an event. */
  wholeOutput(event: ReadonlyJsonObject): unknown;
}

type Emit = (chunk: ChatCompletionChunk) => void;

const MAX_PENDING_CHARACTERS = 1024 * 1024;

/**
 * Passes on each event of a native stream as soon as it arrives, with the few edits of its form. The preamble is held
 * back until the first other event: until then, another target can serve the call. A stream without its last event is
 * incomplete. `chunkReader` reads the same events as chunks, for the ledger.
 */
export class NativeChunkReader extends ChunkReader {
  private readonly chunkReader: ChunkReader;
  /** The chunks of the current event. */
  private readonly parts: ChatCompletionChunk[] = [];
  /** The positions of items whose deltas no chunk has. */
  private readonly withDeltas = new Set<unknown>();
  private pending = '';
  private hasRead = false;
  private hasBegun = false;
  private isOver = false;

  constructor(
    call: ProviderCall,
    emit: Emit,
    private readonly form: NativeStreamForm,
    createChunkReader: CreateReader,
  ) {
    super(call, emit);
    this.chunkReader = createChunkReader(call, (chunk) => this.parts.push(chunk));
  }

  read(event: UpstreamEvent): boolean {
    const name = nameOf(event);
    this.isOver = this.chunkReader.read(event);
    if (name === undefined) return false;
    if (!this.hasRead) noteAnswerId(this.call, FIRST_ID.exec(event.data)?.[1]);
    this.hasRead = true;
    const text = this.pending + this.textOf(name, event.data);
    if (this.holds(name, text)) {
      this.pending = text;
      return false;
    }
    this.hasBegun = true;
    this.pending = '';
    const unread = this.parts.length === 0 ? this.unreadOutput(name, event.data) : undefined;
    const chunk = this.takeChunk();
    chunk.nativeEvents = { text, isLast: this.isOver, ...(unread && { unread }) };
    this.emit(chunk);
    return this.isOver;
  }

  override usageSoFar(): ReturnType<ChunkReader['usageSoFar']> {
    return this.chunkReader.usageSoFar();
  }

  override close(): void {
    if (!this.isOver) throw upstreamIncomplete();
    this.chunkReader.close();
    for (const chunk of this.parts) this.emit(chunk);
  }

  private textOf(name: string, data: string): string {
    const edits = this.form.edits(name, this.call, data);
    const json = edits === null ? data : withMembers(data, edits);
    // JSON may be written in several lines.
    const lines = json.includes('\n') ? json.replaceAll('\n', '\ndata: ') : json;
    return `event: ${name}\ndata: ${lines}\n\n`;
  }

  private holds(name: string, text: string): boolean {
    return !this.hasBegun && text.length <= MAX_PENDING_CHARACTERS && this.form.isPreamble(name);
  }

  /** The strings of an event that no chunk has, for the charge of an answer that is left: all of it was generated. */
  private unreadOutput(name: string, data: string): NativeEvents['unread'] {
    const isDelta = DELTA.test(name);
    if (!isDelta && name !== this.form.wholes) return undefined;
    const event = objectOf(parseIfJson(data));
    const position = event.output_index ?? event.index;
    if (isDelta) this.withDeltas.add(position);
    else if (this.withDeltas.has(position)) return undefined;
    const text = textsIn(isDelta ? event.delta : this.form.wholeOutput(event));
    return SOUND.test(name) ? { text: '', sound: text.length } : { text, sound: 0 };
  }

  /** One chunk with everything that was read. */
  private takeChunk(): ChatCompletionChunk {
    const chunk = this.parts[0] ?? chunkOf(this.call, []);
    for (let at = 1; at < this.parts.length; at++) chunk.choices.push(...(this.parts[at]?.choices ?? []));
    this.parts.length = 0;
    return chunk;
  }
}

/** Undefined if it is not an event of the API, such as `[DONE]`. */
function nameOf({ event, data }: UpstreamEvent): string | undefined {
  if (!OBJECT.test(data)) return undefined;
  return event === '' || event === 'message' ? textMember(data, 'type') : event;
}

/** The first event has the whole answer so far, which begins with its id. */
const FIRST_ID = /"id"\s*:\s*"([^"\\]{1,128})"/;

const OBJECT = /^\s*\{/;

/** `response.audio.delta`, `content_block_delta`… */
const DELTA = /delta$/;
const SOUND = /audio\.delta$/;

/** The fields of a native API that are adapted to the inner request. */
export interface NativeFieldNames {
  readonly outputLimit: string;
  /** Sampling fields: the API's name → the inner name. */
  readonly sampling: Readonly<Record<string, string>>;
}

/**
 * The client's fields in their order, with the upstream's model and, if that is lower, the inner request's output
 * limit. Sampling fields that the inner request lacks are left out. Values are passed on by reference.
 */
export function nativeFields(
  { request, upstreamModel }: ProviderCall,
  fields: ReadonlyJsonObject,
  names: NativeFieldNames,
): JsonObject {
  const body: JsonObject = { ...fields, model: upstreamModel };
  if ('stream' in fields || request.stream === true) body.stream = request.stream === true;
  const limit = outputLimit(request);
  const requested = fields[names.outputLimit];
  if (limit !== undefined && !(typeof requested === 'number' && requested <= limit)) body[names.outputLimit] = limit;
  for (const [theirs, ours] of Object.entries(names.sampling)) {
    if (request[ours] == null && hasEffect(fields[theirs])) delete body[theirs];
  }
  return body;
}

/** `requested`: the limit of the request's own. */
export function allowedCalls(requested: number | undefined, { usual, most }: HostedCallLimits): number {
  return requested === undefined ? usual : Math.min(requested, most ?? requested);
}

/** Nulls and empty lists are sent unchanged. */
function hasEffect(value: unknown): boolean {
  return value != null && !(Array.isArray(value) && value.length === 0);
}

export function parsedAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable('The answer is not JSON.', { cause });
  }
}

/** Ten times the values of a long conversation; parsed in less than 30 ms. */
const MAX_VALUES = 15_000;
/** More than any model writes in a conversation. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Shorter texts are not counted. */
const FREE_CHARACTERS = 64 * 1024;

/**
 * Limits the JSON within a request's texts that must be parsed for APIs with values instead of text. The limits of the
 * body do not cover JSON within texts.
 */
export class ParsingBudget {
  private characters = 0;
  private values = 0;

  /** Whether this text may be parsed; counts it in that case. */
  admits(text: string): boolean {
    if (this.characters + text.length > MAX_CHARACTERS) return false;
    this.characters += text.length;
    if (this.characters <= FREE_CHARACTERS) return true;
    const shape = new JsonShape({ ...UNBOUNDED, values: MAX_VALUES - this.values });
    const isAdmitted = shape.admits(Buffer.from(text));
    this.values += shape.size;
    return isAdmitted;
  }
}

const UNBOUNDED = { depth: 1000, fields: Infinity, layouts: Infinity, nameLength: Infinity, shortBytes: Infinity };
