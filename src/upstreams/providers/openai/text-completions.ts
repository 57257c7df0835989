import { invalidRequest } from '../../../common/gateway.error.js';
import type { ChatCompletion } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import { completionOf } from '../../contract/envelope.js';
import { countOf, isObject, objectsOf, type ReadonlyJsonObject } from '../../contract/json.js';
import type { NativeApi, ProviderCall } from '../../contract/provider.adapter.js';
import { unreadable } from '../../contract/upstream.error.js';
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

/** A dialect's older Completions API, whose answers are converted to the inner form; null: it has none. */
export function textCompletionsOf(dialect: Dialect): NativeApi | null {
  const { textCompletions: own, fields: accepted, streamUsage } = dialect;
  if (!own) return null;
  const { path = '/completions', takesLists, only } = own;
  const accepts = fieldTest(accepted);
  const isForwarded = only
    ? (field: string) => only.includes(field)
    : (field: string) => OPENAIS.has(field) || ('except' in accepted && accepts(field));
  return {
    framing: 'sse',

    toRequest(call, { fields }) {
      refuseUnsupported(fields, own);
      const all = nativeFields(call, fields, FIELDS);
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
  throwReported(body, call, dialect);
  if (!Array.isArray(body.choices)) throw unreadable('The answer has no choices.');
  const choices = objectsOf(body.choices).map((raw, position) => ({
    index: countOf(raw.index) ?? position,
    message: { role: 'assistant' as const, content: textOf(raw), refusal: null },
    finish_reason: toFinishReason(raw.finish_reason, false, dialect) ?? 'stop',
    logprobs: isObject(raw.logprobs) ? raw.logprobs : null,
  }));
  return completionOf(call, choices, toUsage(body, dialect));
}
