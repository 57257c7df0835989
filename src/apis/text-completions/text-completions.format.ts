import { type GatewayError, gatewayError } from '../../common/gateway.error.js';
import { endOfId } from '../../common/ids.js';
import type { CallFormat, Reply } from '../../completions/formats/call-format.js';
import { chatReply } from '../../completions/formats/chat.format.js';
import {
  type Check,
  faultAt,
  flag,
  integer,
  numberBetween,
  text,
  wrongType,
  wrongValue,
} from '../../completions/formats/checks.js';
import { logitBias, stop, streamOptions } from '../../completions/formats/option.checks.js';
import { nullable, required, shape } from '../../completions/formats/structure.checks.js';
import type { ChatChoice, ChatChunkChoice, ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { bodyObject, modelId, refuseFaults, sentFields, withUnreadFields } from '../shared/checked-body.js';
import { inputText } from '../shared/tool-arguments.js';

const PROMPT = 'a text, a list of texts, a list of token ids, or a list of such lists';
const MAX_PROMPTS = 128;

const prompt: Check = {
  schema: {},
  expected: PROMPT,
  faultIn(value) {
    if (typeof value === 'string') return null;
    if (!Array.isArray(value)) return wrongType(PROMPT, value);
    const [first] = value;
    if (first === undefined) return wrongValue('a list that is not empty', 'an empty list');
    if (typeof first !== 'number' && value.length > MAX_PROMPTS) {
      return wrongValue(`at most ${MAX_PROMPTS} prompts`, String(value.length));
    }
    const isSame = kindTest(first);
    const wrong = value.findIndex((one) => !isSame(one));
    return wrong < 0 ? null : faultAt(`[${wrong}]`, wrongType('the same type as the first element', value[wrong]));
  },
};

function kindTest(first: unknown): (one: unknown) => boolean {
  if (typeof first === 'number') return isToken;
  if (Array.isArray(first)) return (one) => Array.isArray(one) && one.length > 0 && one.every(isToken);
  return (one) => typeof one === 'string';
}

function isToken(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Source: OpenAI's published OpenAPI document, `CreateCompletionRequest`. */
const FIELDS = {
  model: required(modelId),
  prompt: required(prompt),
  suffix: nullable(text()),
  max_tokens: nullable(integer(0)),
  temperature: nullable(numberBetween(0, 2)),
  top_p: nullable(numberBetween(0, 1)),
  n: nullable(integer(1, 128)),
  best_of: nullable(integer(0, 20)),
  stream: nullable(flag),
  stream_options: nullable(streamOptions),
  logprobs: nullable(integer(0, 5)),
  echo: nullable(flag),
  stop: nullable(stop),
  presence_penalty: nullable(numberBetween(-2, 2)),
  frequency_penalty: nullable(numberBetween(-2, 2)),
  logit_bias: nullable(logitBias),
  seed: nullable(integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
  user: nullable(text()),
};

export const textCompletionRequest = shape(FIELDS);

/** A set, as a body may contain names of inherited properties. */
const TEXT_COMPLETION_FIELDS: ReadonlySet<string> = new Set(Object.keys(FIELDS));

export interface TextCompletionRequest {
  readonly model: string;
  readonly prompt: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  readonly suffix?: string | null;
  readonly max_tokens?: number | null;
  readonly n?: number | null;
  readonly best_of?: number | null;
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
  readonly [field: string]: unknown;
}

/** OpenAI's default. */
const MAX_TOKENS = 16;

/** Sampling fields with the same name and meaning in the inner form. */
const SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'seed', 'stop'];

/**
 * OpenAI's older Completions API: continues a text, or fills a gap in it. Only upstreams that have this API themselves
 * receive such calls; the inner form is only for limits and prices.
 */
export const textCompletionsFormat: CallFormat = {
  api: 'completions',

  read(body) {
    const fields = bodyObject(body);
    refuseFaults(fields, textCompletionRequest);
    const requested = fields as TextCompletionRequest;
    const request = innerRequest(requested);
    const sent = sentFields(fields);
    return {
      request,
      charged: withUnreadFields(request, 'completions', sent, TEXT_COMPLETION_FIELDS, 'prompt'),
      native: {
        body: { api: 'completions', fields: sent, headers: {} },
        untranslated: [],
        untranslatable: notServed(requested.model),
      },
      reply: () => textCompletionsReply,
    };
  },
};

function innerRequest(requested: TextCompletionRequest): ChatCompletionRequest {
  const prompts = promptTexts(requested);
  const content = [...prompts, requested.suffix ?? ''].map((text) => ({ type: 'text' as const, text }));
  const { max_tokens, n, best_of, stream, stream_options } = requested;
  const sampling = SAMPLING.filter((name) => requested[name] != null).map((name) => [name, requested[name]] as const);
  return {
    ...Object.fromEntries(sampling),
    model: requested.model,
    messages: [{ role: 'user', content }],
    // Upstreams may write one token where the request allows none.
    max_tokens: Math.max(max_tokens ?? MAX_TOKENS, 1),
    n: prompts.length * Math.max(n ?? 1, best_of ?? 1),
    stream: stream === true,
    ...(stream === true && stream_options && { stream_options }),
  };
}

function promptTexts({ prompt }: TextCompletionRequest): string[] {
  if (typeof prompt === 'string') return [prompt];
  if (typeof prompt[0] === 'number') return [inputText(prompt as readonly number[])];
  return (prompt as readonly (string | readonly number[])[]).map(inputText);
}

function notServed(model: string): GatewayError {
  const message = `The upstream of the model '${model}' has no Completions API. Send 'messages' to /v1/chat/completions.`;
  return gatewayError(400, 'model_not_supported', message, { param: 'model' });
}

interface Envelope {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** Writes `text_completion` objects, both whole and in a stream. Stateless, so all calls share it. */
const textCompletionsReply: Reply = {
  ...chatReply,

  whole: (completion) =>
    JSON.stringify({ ...envelope(completion), choices: completion.choices.map(ofWhole), usage: completion.usage }),

  next(chunk) {
    const choices = chunk.choices.filter(({ delta, finish_reason }) => delta.content || finish_reason !== null);
    if (choices.length === 0 && !chunk.usage) return '';
    const { usage } = chunk;
    return `data: ${JSON.stringify({ ...envelope(chunk), choices: choices.map(ofDelta), ...(usage && { usage }) })}\n\n`;
  },
};

function envelope({ id, created, model }: Envelope) {
  return { id: `cmpl-${endOfId(id)}`, object: 'text_completion', created, model };
}

function ofWhole({ index, message, finish_reason, logprobs }: ChatChoice) {
  return { text: message.content ?? '', index, logprobs, finish_reason };
}

function ofDelta({ index, delta, finish_reason, logprobs = null }: ChatChunkChoice) {
  return { text: delta.content ?? '', index, logprobs, finish_reason };
}
