import type { ChatChunkChoice, ChatCompletionChunk } from '../../contract/chat.types.js';
import { ChunkReader, StreamedChoice } from '../../contract/chunk.reader.js';
import { chunkOf } from '../../contract/envelope.js';
import { countOf, isObject, type JsonObject, objectsOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { eventData } from '../shared/event-data.js';
import type { Dialect } from './dialect.js';
import { throwReported } from './failure.js';
import { toFinishReason } from './finish-reason.js';
import { toUsage } from './usage.js';

/** Reads a stream of OpenAI's older Completions API. */
export class TextChunkReader extends ChunkReader {
  private readonly choices = new Map<number, StreamedChoice>();

  constructor(
    call: ProviderCall,
    private readonly dialect: Dialect,
    emit: (chunk: ChatCompletionChunk) => void,
  ) {
    super(call, emit);
  }

  read(event: UpstreamEvent): boolean {
    if (event.data.startsWith('[DONE]')) return true;
    const body = eventData(event, () => false);
    if (!body) return false;
    throwReported(body, this.call, this.dialect, event.event === 'error');
    this.usage = toUsage(body, this.dialect) ?? this.usage;
    const choices = objectsOf(body.choices).map((raw, position) => this.choiceOf(raw, position));
    if (choices.length > 0) this.emit(chunkOf(this.call, choices));
    return false;
  }

  private choiceOf(raw: JsonObject, position: number): ChatChunkChoice {
    const index = countOf(raw.index) ?? position;
    const choice = this.choices.get(index) ?? new StreamedChoice(index);
    this.choices.set(index, choice);
    const part = choice.next({ content: textOf(raw) }, toFinishReason(raw.finish_reason, false, this.dialect));
    return isObject(raw.logprobs) ? { ...part, logprobs: raw.logprobs } : part;
  }
}

/** The text of a choice; some APIs answer in the format of Chat Completions. */
export function textOf({ text, message, delta }: JsonObject): string {
  const said = isObject(message) ? message.content : isObject(delta) ? delta.content : text;
  return typeof said === 'string' ? said : '';
}
