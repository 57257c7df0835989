import { invalidRequest } from '../../../common/gateway.error.js';
import type { ChatChoice, ChatChunkChoice, ChatCompletion, ChatCompletionChunk } from '../../contract/chat.types.js';
import {
  ChunkReader,
  chunkOf,
  chunkStream,
  completionOf,
  noteServed,
  StreamedChoice,
} from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, objectsOf, type ReadonlyJsonObject } from '../../contract/json.js';
import type { NativeApi, ProviderCall, UpstreamEvent } from '../../contract/provider.adapter.js';
import { charging, UpstreamError, unreadable, withUsage } from '../../contract/upstream.error.js';
import { eventData } from '../shared/event-data.js';
import { ignoredFields, unsupported } from '../shared/ignored-fields.js';
import { nativeFields, parsedAnswer } from '../shared/native.js';
import { type Dialect, type DialectTextCompletions, fieldTest } from './dialect.js';
import { throwReported, toError } from './failure.js';
import { servedIn, toFinishReason, toUsage } from './response.js';

const FIELDS = {
  outputLimit: 'max_tokens',
  sampling: Object.fromEntries(
    ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'].map((name) => [name, name]),
  ),
};

/** The fields of OpenAI's format. */
const OPENAIS = new Set([
  ...['model', 'prompt', 'suffix', 'max_tokens', 'temperature', 'top_p', 'n', 'best_of', 'stream', 'stream_options'],
  ...['logprobs', 'echo', 'stop', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'seed', 'user'],
]);

/** A dialect's older Completions API, whose answers are converted to the inner form; null: it has none. */
export function textCompletionsOf(dialect: Dialect): NativeApi | null {
  const { textCompletions: own, fields: accepted, pricedFields, streamUsage } = dialect;
  if (!own) return null;
  const { path = '/completions', takesLists, only } = own;
  const accepts = fieldTest(accepted);
  const forwardingTest =
    ({ isPaid }: ProviderCall) =>
    (field: string) => {
      if (only) return only.includes(field);
      if (OPENAIS.has(field)) return true;
      return 'except' in accepted && accepts(field) && !(isPaid && pricedFields && !pricedFields.includes(field));
    };
  return {
    framing: 'sse',

    toRequest(call, { fields }) {
      refuseUnsupported(fields, own);
      const isForwarded = forwardingTest(call);
      const all = nativeFields(call, fields, FIELDS);
      if (all.max_tokens === 0 && call.isPaid && !own.takesZero) all.max_tokens = 1;
      if (!takesLists && Array.isArray(all.prompt)) all.prompt = all.prompt[0];
      const body = Object.fromEntries(
        Object.entries(all).filter(([field]) => field !== 'stream_options' && isForwarded(field)),
      );
      if (body.stream === true && streamUsage === 'stream_options') body.stream_options = { include_usage: true };
      return {
        method: 'POST',
        path: typeof path === 'string' ? path : path(call),
        headers: {},
        body,
        ignored: ignoredFields(fields, isForwarded),
      };
    },

    fromResponse: (text, call) => toCompletion(parsedAnswer(text), call, dialect),
    fromStream: chunkStream((call, emit) => new TextChunkReader(call, dialect, emit)),
    toError: (status, headers, body, call) => toError(status, headers, body, call, dialect),
    // Nothing can be left out.
    withoutRefused: () => null,
  };
}

function refuseUnsupported({ prompt, suffix }: ReadonlyJsonObject, own: DialectTextCompletions): void {
  if (suffix && !own.takesSuffix) {
    const message = "This model cannot fill gaps. Leave 'suffix' out or choose another model.";
    throw invalidRequest('unsupported_parameter', 'suffix', message);
  }
  const isOneText = typeof prompt === 'string' || (Array.isArray(prompt) && prompt.length === 1);
  if (own.takesLists || (isOneText && typeof [prompt].flat()[0] === 'string')) return;
  throw unsupported('prompt', "This model accepts only one text as 'prompt'. Send one per call.");
}

function toCompletion(body: unknown, call: ProviderCall, dialect: Dialect): ChatCompletion {
  if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
  const usage = toUsage(body, dialect);
  const choices = charging(
    () => choicesOf(body, call, dialect),
    () => usage,
  );
  noteServed(call, servedIn(body, dialect));
  return completionOf(call, choices, usage);
}

function choicesOf(body: JsonObject, call: ProviderCall, dialect: Dialect): ChatChoice[] {
  throwReported(body, call, dialect);
  if (!Array.isArray(body.choices)) throw unreadable('The answer has no choices.');
  return objectsOf(body.choices).map((raw, position) => ({
    index: countOf(raw.index) ?? position,
    message: { role: 'assistant' as const, content: textOf(raw), refusal: null },
    finish_reason: toFinishReason(raw.finish_reason, false, dialect) ?? 'stop',
    logprobs: isObject(raw.logprobs) ? raw.logprobs : null,
  }));
}

/** Reads a stream of OpenAI's older Completions API. */
class TextChunkReader extends ChunkReader {
  private readonly choices = new Map<number, StreamedChoice>();
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
    const body = eventData(event, () => false);
    if (!body) return false;
    this.usage = toUsage(body, this.dialect) ?? this.usage;
    throwReported(body, this.call, this.dialect, event.event === 'error');
    noteServed(this.call, servedIn(body, this.dialect));
    if (!this.failure) this.readChoices(body);
    return this.failure !== undefined && this.usage !== undefined;
  }

  protected override end(): void {
    if (this.failure) throw withUsage(this.failure, this.usage);
  }

  private readChoices(body: JsonObject): void {
    try {
      const choices = objectsOf(body.choices).map((raw, position) => this.choiceOf(raw, position));
      if (choices.length > 0) this.emit(chunkOf(this.call, choices));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      this.failure = error;
    }
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
function textOf({ text, message, delta }: JsonObject): string {
  const content = isObject(message) ? message.content : isObject(delta) ? delta.content : text;
  return typeof content === 'string' ? content : '';
}
