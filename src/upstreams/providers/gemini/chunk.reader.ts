import type { ChatChunkChoice, ChatCompletionChunk, CompletionUsage } from '../../contract/chat.types.js';
import { countOf, isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import type { ChunkReader } from '../chunk-stream.js';
import { eventData } from '../event-data.js';
import { parseExactly } from '../exact-json.js';
import { CandidateReader } from './candidate.reader.js';
import { reportedFailure } from './failure.js';
import { logprobsOf } from './logprobs.js';
import { isBlocked } from './prompt-feedback.js';
import { usageOf } from './usage.js';

interface OpenChoice {
  readonly index: number;
  readonly reader: CandidateReader;
  started: boolean;
}

/**
 * Reads the stream of one call. Its end is the end of the body, and there the finish reason is told: one in an event may
 * be followed by more of the answer, or by a function call that changes its meaning.
 */
export class GeminiChunkReader implements ChunkReader {
  private readonly choices = new Map<number, OpenChoice>();
  private blocked = false;
  private usage: CompletionUsage | undefined;

  constructor(
    private readonly call: ProviderCall,
    private readonly emit: (chunk: ChatCompletionChunk) => void,
  ) {}

  read(event: UpstreamEvent): boolean {
    const body = eventData(event, isOwn, parseExactly);
    if (!body) return false;
    if (body.error) throw reportedFailure(body, this.call);
    this.usage = usageOf(body) ?? this.usage;
    this.blocked ||= isBlocked(body);
    if (Array.isArray(body.candidates)) {
      body.candidates.forEach((candidate, position) => {
        if (isObject(candidate)) this.readCandidate(candidate, position);
      });
    }
    return false;
  }

  end(): void {
    if (this.blocked && this.choices.size === 0) {
      this.send({ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'content_filter' });
    }
    for (const choice of this.choices.values()) {
      const finish = choice.reader.finishReason;
      if (finish) this.send({ index: choice.index, delta: choice.reader.end(), finish_reason: finish });
    }
    if (this.usage) this.emit({ ...this.chunkOf([]), usage: this.usage });
  }

  private readCandidate(candidate: JsonObject, position: number): void {
    const choice = this.choiceAt(countOf(candidate.index) ?? position);
    const delta = choice.reader.read(candidate);
    const logprobs = candidate.logprobsResult ? logprobsOf(candidate.logprobsResult) : null;
    if (!choice.started) {
      Object.assign(delta, { role: 'assistant', content: delta.content ?? '' });
      choice.started = true;
    } else if (!delta.content && !delta.reasoning_content && !delta.tool_calls && !logprobs) return;
    this.send({ index: choice.index, delta, finish_reason: null, ...(logprobs && { logprobs }) });
  }

  private choiceAt(index: number): OpenChoice {
    const known = this.choices.get(index);
    if (known) return known;
    const choice = { index, reader: new CandidateReader(this.call, index), started: false };
    this.choices.set(index, choice);
    return choice;
  }

  private send(choice: ChatChunkChoice): void {
    this.emit(this.chunkOf([choice]));
  }

  private chunkOf(choices: ChatChunkChoice[]): ChatCompletionChunk {
    const { id, created, model } = this.call;
    return { id, object: 'chat.completion.chunk', created, model, choices };
  }
}

/** The API names no event; an error may be named. */
function isOwn(event: string): boolean {
  return event === '' || event === 'message' || event === 'error';
}
