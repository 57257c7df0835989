import { invalidRequest } from '../../../common/gateway.error.js';
import type { ChatCompletion } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import { completionOf } from '../../contract/envelope.js';
import { countOf, isObject, type JsonObject, objectsOf } from '../../contract/json.js';
import type { NativeBody } from '../../contract/native.body.js';
import type { NativeApi, ProviderCall, ProviderRequest, UpstreamHeaders } from '../../contract/provider.adapter.js';
import { type UpstreamError, unreadable } from '../../contract/upstream.error.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { nativeFields } from '../shared/native/native-fields.js';
import { parsedAnswer } from '../shared/native/parsed-answer.js';
import { unsupported } from '../shared/unsupported.js';
import type { Dialect, DialectTextCompletions } from './dialect.js';
import { throwReported, toError } from './failure.js';
import { fieldTest } from './field-rule.js';
import { toFinishReason } from './finish-reason.js';
import { TextChunkReader, textOf } from './text-chunk.reader.js';
import { toUsage } from './usage.js';

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

/** An upstream's older Completions API. Answers are converted to the inner form. */
export class NativeTextCompletions implements NativeApi {
  readonly framing = 'sse';
  readonly fromStream = chunkStream((call, emit) => new TextChunkReader(call, this.dialect, emit));
  private readonly isForwarded: (field: string) => boolean;

  constructor(
    private readonly dialect: Dialect,
    private readonly own: DialectTextCompletions,
  ) {
    const accepts = fieldTest(dialect.fields);
    const { only } = own;
    this.isForwarded = only
      ? (field) => only.includes(field)
      : (field) => OPENAIS.has(field) || ('except' in dialect.fields && accepts(field));
  }

  toRequest(call: ProviderCall, { fields }: NativeBody): ProviderRequest {
    this.refuse(fields);
    const { path = '/completions', takesLists } = this.own;
    const all = nativeFields(call, fields, FIELDS);
    if (!takesLists && Array.isArray(all.prompt)) all.prompt = all.prompt[0];
    const body = Object.fromEntries(
      Object.entries(all).filter(([field]) => field !== 'stream_options' && this.isForwarded(field)),
    );
    if (body.stream === true && this.dialect.streamUsage === 'stream_options') {
      body.stream_options = { include_usage: true };
    }
    return {
      method: 'POST',
      path: typeof path === 'string' ? path : path(call),
      headers: {},
      body,
      ignored: ignoredFields(fields, this.isForwarded),
    };
  }

  fromResponse(text: string, call: ProviderCall): ChatCompletion {
    const body = parsedAnswer(text);
    if (!isObject(body)) throw unreadable('The answer is not a JSON object.');
    throwReported(body, call, this.dialect);
    if (!Array.isArray(body.choices)) throw unreadable('The answer has no choices.');
    const choices = objectsOf(body.choices).map((raw, position) => ({
      index: countOf(raw.index) ?? position,
      message: { role: 'assistant' as const, content: textOf(raw), refusal: null },
      finish_reason: toFinishReason(raw.finish_reason, false, this.dialect) ?? 'stop',
      logprobs: isObject(raw.logprobs) ? raw.logprobs : null,
    }));
    return completionOf(call, choices, toUsage(body, this.dialect));
  }

  /** Nothing can be left out. */
  withoutRefused(): null {
    return null;
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    return toError(status, headers, body, call, this.dialect);
  }

  private refuse({ prompt, suffix }: Readonly<JsonObject>): void {
    if (suffix && !this.own.takesSuffix) {
      const message = "This model cannot fill gaps. Leave 'suffix' out or choose another model.";
      throw invalidRequest('unsupported_parameter', 'suffix', message);
    }
    const isOneText = typeof prompt === 'string' || (Array.isArray(prompt) && prompt.length === 1);
    if (this.own.takesLists || (isOneText && typeof [prompt].flat()[0] === 'string')) return;
    throw unsupported('prompt', "This model accepts only one text as 'prompt'. Send one per call.");
  }
}
