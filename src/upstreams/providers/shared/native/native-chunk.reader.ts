import { type MemberEdits, textMember, withMembers } from '../../../../json/json-members.js';
import type { ChatCompletionChunk } from '../../../contract/chat.types.js';
import { ChunkReader, type CreateReader } from '../../../contract/chunk.reader.js';
import { chunkOf } from '../../../contract/envelope.js';
import type { ProviderCall, UpstreamEvent } from '../../../contract/provider.adapter.js';
import { upstreamIncomplete } from '../../../contract/upstream.error.js';

/** How to handle the events of a native stream. `name`: the type of an event. */
export interface NativeStreamForm {
  /** Whether an event precedes the model's answer, so that the upstream may still refuse the request. */
  isPreamble(name: string): boolean;
  /** Changes of an event for the client; null: none. */
  edits(name: string, call: ProviderCall): MemberEdits | null;
}

type Emit = (chunk: ChatCompletionChunk) => void;

const MAX_HELD_CHARACTERS = 1024 * 1024;

/**
 * Passes on each event of a native stream as soon as it arrives, with the few edits of its form. The preamble is held
 * back until the first other event: until then, another target can serve the call. A stream without its last event is
 * incomplete. `chunkReader` reads the same events as chunks, for the ledger.
 */
export class NativeChunkReader extends ChunkReader {
  private readonly chunkReader: ChunkReader;
  /** The chunks of the current event. */
  private readonly parts: ChatCompletionChunk[] = [];
  private held = '';
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
    const text = this.held + this.textOf(name, event.data);
    if (this.holds(name, text)) {
      this.held = text;
      return false;
    }
    this.hasBegun = true;
    this.held = '';
    const chunk = this.takeChunk();
    chunk.nativeEvents = { text, isLast: this.isOver };
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
    const edits = this.form.edits(name, this.call);
    const json = edits === null ? data : withMembers(data, edits);
    // JSON may be written in several lines.
    const lines = json.includes('\n') ? json.replaceAll('\n', '\ndata: ') : json;
    return `event: ${name}\ndata: ${lines}\n\n`;
  }

  private holds(name: string, text: string): boolean {
    return !this.hasBegun && text.length <= MAX_HELD_CHARACTERS && this.form.isPreamble(name);
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

const OBJECT = /^\s*\{/;
