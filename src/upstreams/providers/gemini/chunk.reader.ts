import { parseExactly } from '../../../json/exact-json.js';
import type { ChatChunkChoice, CompletionUsage } from '../../contract/chat.types.js';
import { ChunkReader, StreamedChoice } from '../../contract/chunk.reader.js';
import { chunkOf } from '../../contract/envelope.js';
import { countOf, isObject, type JsonObject, listOf } from '../../contract/json.js';
import type { UpstreamEvent } from '../../contract/provider.adapter.js';
import { eventData } from '../shared/event-data.js';
import { CandidateReader } from './candidate.reader.js';
import { reportedFailure } from './failure.js';
import { isBlocked } from './finish-reason.js';
import { logprobsOf } from './logprobs.js';
import { toUsage } from './usage.js';

/**
 * Reads the stream of one call. The finish reason is sent at the end of the body, as more text, or a function call that
 * changes its meaning, may follow an event with a finish reason.
 */
export class GeminiChunkReader extends ChunkReader {
  private readonly choices = new Map<number, CandidateReader>();
  private blocked = false;

  read(event: UpstreamEvent): boolean {
    const body = eventData(event, isOwn, parseExactly);
    if (!body) return false;
    if (body.error) throw reportedFailure(body, this.call);
    this.noteUsage(toUsage(body));
    this.blocked ||= isBlocked(body);
    for (const [position, candidate] of listOf(body.candidates).entries()) {
      if (isObject(candidate)) this.readCandidate(candidate, position);
    }
    return false;
  }

  /** Each event reports the usage so far, but only one event reports the searches. */
  private noteUsage(usage: CompletionUsage | undefined): void {
    const { server_tool_use = usage?.server_tool_use } = this.usage ?? {};
    if (usage) this.usage = server_tool_use ? { ...usage, server_tool_use } : usage;
  }

  protected override end(): void {
    if (this.blocked && this.choices.size === 0)
      this.send(new StreamedChoice(0).next({ content: '' }, 'content_filter'));
    for (const choice of this.choices.values()) {
      const finish = choice.finishReason;
      if (finish) this.send(choice.next(choice.end(), finish));
    }
  }

  private readCandidate(candidate: JsonObject, position: number): void {
    const choice = this.choiceAt(countOf(candidate.index) ?? position);
    const delta = choice.read(candidate);
    const logprobs = candidate.logprobsResult ? logprobsOf(candidate.logprobsResult) : null;
    if (!choice.started) delta.content ??= '';
    else if (!delta.content && !delta.reasoning_content && !delta.tool_calls && !logprobs) return;
    this.send({ ...choice.next(delta), ...(logprobs && { logprobs }) });
  }

  private choiceAt(index: number): CandidateReader {
    const choice = this.choices.get(index) ?? new CandidateReader(this.call, index);
    this.choices.set(index, choice);
    return choice;
  }

  private send(choice: ChatChunkChoice): void {
    this.emit(chunkOf(this.call, [choice]));
  }
}

/** The API's own events have no name, except errors. */
function isOwn(event: string): boolean {
  return event === '' || event === 'message' || event === 'error';
}
