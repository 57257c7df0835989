import { parseIfJson } from '../../../json/exact-json.js';
import type { ChatChunkChoice, ChatCompletionChunk, ChatDelta, UsageSoFar } from '../../contract/chat.types.js';
import { ChunkReader, chunkOf, noteServed, StreamedChoice, withoutOutput } from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, textOf } from '../../contract/json.js';
import type { ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { UpstreamError, withUsage } from '../../contract/upstream.error.js';
import { imagesIn } from '../shared/citations.js';
import { eventData } from '../shared/event-data.js';
import { mintedId } from '../shared/tool-calls.js';
import type { Dialect, MessageExtras } from './dialect.js';
import { reportedFailure, throwReported } from './failure.js';
import { reasoningOf, textParts } from './messages.js';
import {
  annotationsOf,
  copyEnvelope,
  logprobsOf,
  servedIn,
  stopSequenceOf,
  toFinishReason,
  toUsage,
} from './response.js';
import { argumentsOf, ToolCallStream } from './tools.js';

class OpenChoice extends StreamedChoice {
  readonly toolCalls: ToolCallStream;
  readonly extras: MessageExtras | undefined;

  constructor(call: ProviderCall, dialect: Dialect, index: number) {
    super(index);
    this.toolCalls = new ToolCallStream((position) => mintedId(call, index, position));
    this.extras = dialect.extras?.();
  }
}

/** Reads the stream of one call. Parses each event once, and builds a new chunk from known fields. */
export class OpenAiChunkReader extends ChunkReader {
  private readonly choices: OpenChoice[] = [];
  /** The answer's own failure, held until its usage has arrived. */
  private failure: UpstreamError | undefined;

  constructor(
    call: ProviderCall,
    private readonly dialect: Dialect,
    emit: (chunk: ChatCompletionChunk) => void,
  ) {
    super(call, emit);
  }

  read(event: UpstreamEvent): boolean {
    if (event.data.startsWith('[DONE]')) return true;
    const body = bodyOf(event);
    if (body === undefined) return false;
    const usage = toUsage(body, this.dialect);
    this.usage = usage ?? this.usage;
    throwReported(body, this.call, this.dialect, event.event === 'error');
    if (usage || this.choices.length === 0) noteServed(this.call, servedIn(body, this.dialect));
    if (Array.isArray(body.choices) && !this.failure) this.readChoices(body, body.choices);
    return this.failure !== undefined && this.usage !== undefined;
  }

  /** Chunks of models that search count only their text; the last report includes sources and research. */
  override usageSoFar(): UsageSoFar | undefined {
    const { dialect, call } = this;
    const isSearching = dialect.searchesUnasked?.(call.upstreamModel, call.request) === true;
    const isWhole = !isSearching || this.choices.every(({ finished }) => finished);
    return isWhole || this.usage === undefined ? this.usage : withoutOutput(this.usage);
  }

  protected override end(): void {
    if (this.failure) throw withUsage(this.failure, this.usage);
  }

  private readChoices(body: JsonObject, choices: readonly unknown[]): void {
    try {
      this.readChunk(body, choices);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      this.failure = error;
    }
  }

  private readChunk(body: JsonObject, rawChoices: readonly unknown[]): void {
    const choices: ChatChunkChoice[] = [];
    for (let position = 0; position < rawChoices.length; position += 1) {
      const raw = rawChoices[position];
      const choice = isObject(raw) ? this.readChoice(raw, position, body) : undefined;
      if (choice) choices.push(choice);
    }
    const chunk = chunkOf(this.call, choices);
    copyEnvelope(body, chunk);
    if (choices.length > 0 || chunk.moderation) this.emit(chunk);
  }

  /** Undefined if there is nothing new to send. */
  private readChoice(raw: JsonObject, position: number, body: JsonObject): ChatChunkChoice | undefined {
    if (isObject(raw.error)) throw reportedFailure(raw.error, this.call, this.dialect);
    const index = countOf(raw.index) ?? position;
    const state = this.openChoice(index);
    const delta: ChatDelta = {};
    let isNew = !state.started;
    if (isObject(raw.delta)) {
      isNew = this.readDelta(raw.delta, delta, state) || isNew;
      state.extras?.read(raw.delta, body);
    }

    const finish = state.finished ? null : toFinishReason(raw.finish_reason, state.toolCalls.started, this.dialect);
    if (finish === 'tool_calls') {
      const completions = state.toolCalls.completions();
      if (completions) delta.tool_calls = [...(delta.tool_calls ?? []), ...completions];
    }
    if (finish !== null && state.extras) Object.assign(delta, state.extras.fields());
    const choice = state.next(delta, finish);
    if (finish !== null) Object.assign(choice, stopSequenceOf(raw, this.call));
    const logprobs = raw.logprobs ? logprobsOf(raw.logprobs) : null;
    if (logprobs) choice.logprobs = logprobs;
    return isNew || finish !== null || logprobs ? choice : undefined;
  }

  /** Fills `delta`; true if there is something to send. */
  private readDelta(raw: JsonObject, delta: ChatDelta, state: OpenChoice): boolean {
    const first = !state.started;
    const { content, refusal, tool_calls: toolCalls } = raw;
    let reasoning = reasoningOf(raw, this.dialect);
    if (typeof content === 'string') {
      if (content !== '' || first) delta.content = content;
    } else if (Array.isArray(content)) {
      const text = (this.dialect.readParts ?? textParts)(content);
      if (text.content !== '') delta.content = text.content;
      reasoning ??= textOf(text.reasoning);
    } else if (first && content === null) {
      delta.content = null;
    }
    if (reasoning !== undefined) delta.reasoning_content = reasoning;
    if (typeof refusal === 'string' && refusal !== '') delta.refusal = refusal;
    else if (first && refusal === null) delta.refusal = null;
    if (Array.isArray(toolCalls)) {
      const deltas = state.toolCalls.read(toolCalls);
      if (deltas) delta.tool_calls = deltas;
    }
    const rare = raw.function_call || raw.audio || raw.annotations || raw.images ? readRareFields(raw, delta) : false;
    return Boolean(delta.content || delta.reasoning_content || delta.refusal || delta.tool_calls || rare);
  }

  private openChoice(index: number): OpenChoice {
    this.choices[index] ??= new OpenChoice(this.call, this.dialect, index);
    return this.choices[index];
  }
}

function readRareFields(raw: JsonObject, delta: ChatDelta): boolean {
  if (isObject(raw.function_call)) {
    const name = textOf(raw.function_call.name);
    const parameters = argumentsOf(raw.function_call.arguments);
    delta.function_call = name === undefined ? { arguments: parameters } : { name, arguments: parameters };
  }
  if (isObject(raw.audio)) delta.audio = raw.audio;
  const annotations = annotationsOf(raw.annotations);
  if (annotations && annotations.length > 0) delta.annotations = annotations;
  const images = imagesIn(raw.images);
  if (images.length > 0) delta.images = images;
  return 'function_call' in delta || 'audio' in delta || 'annotations' in delta || 'images' in delta;
}

/** An error may be text, also as JSON. */
function bodyOf(event: UpstreamEvent): JsonObject | undefined {
  const isError = event.event === 'error';
  return eventData(event, isOwn) ?? (isError ? { error: parseIfJson(event.data) } : undefined);
}

function isOwn(event: string): boolean {
  return event === '' || event === 'message';
}
