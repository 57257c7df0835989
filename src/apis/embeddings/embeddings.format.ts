import { type GatewayError, gatewayError, invalidRequest } from '../../common/gateway.error.js';
import type { CallFormat, Reply } from '../../completions/formats/call-format.js';
import { chatReply } from '../../completions/formats/chat.format.js';
import {
  type Check,
  type Fault,
  faultAt,
  integer,
  oneOf,
  text,
  wrongType,
  wrongValue,
} from '../../completions/formats/checks.js';
import { nullable, required, shape } from '../../completions/formats/structure.checks.js';
import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { EmbeddingBody } from '../../upstreams/contract/native.body.js';
import type { TokenCounter } from '../../upstreams/tokens/token-counter.js';
import { bodyObject, modelId, refuseFaults, sentFields, withUnreadFields } from '../shared/checked-body.js';
import { inputText } from '../shared/tool-arguments.js';

const EXPECTED = 'a text, a list of texts, a list of token ids, or a list of such lists';
const MAX_INPUTS = 2048;
const TEXT = 'a non-empty string';
const TOKENS = 'a non-empty list of token ids';
const TOKEN = 'a token id of at least 0';

const input: Check = {
  schema: {},
  expected: EXPECTED,
  faultIn(value) {
    if (typeof value === 'string') return textFault(value);
    if (!Array.isArray(value)) return wrongType(EXPECTED, value);
    const [first] = value;
    if (first === undefined) return wrongValue('a list that is not empty', 'an empty list');
    if (typeof first === 'number') return tokensFault(value);
    if (value.length > MAX_INPUTS) return wrongValue(`at most ${MAX_INPUTS} inputs`, String(value.length));
    const faultOf = Array.isArray(first) ? tokensFault : textFault;
    for (const [index, one] of value.entries()) {
      const fault = faultOf(one);
      if (fault) return faultAt(`[${index}]`, fault);
    }
    return null;
  },
};

/** A valid `input` as a list of texts or of token lists. */
function inputsOf(valid: string | EmbeddingBody['inputs'] | readonly number[]): EmbeddingBody['inputs'] {
  if (typeof valid === 'string') return [valid];
  return typeof valid[0] === 'number' ? [valid as readonly number[]] : (valid as EmbeddingBody['inputs']);
}

function textFault(value: unknown): Fault | null {
  if (typeof value !== 'string') return wrongType(TEXT, value);
  return value === '' ? wrongValue(TEXT, 'an empty string') : null;
}

function tokensFault(value: unknown): Fault | null {
  if (!Array.isArray(value)) return wrongType(TOKENS, value);
  if (value.length === 0) return wrongValue(TOKENS, 'an empty list');
  const index = value.findIndex((token) => !Number.isSafeInteger(token) || token < 0);
  return index < 0 ? null : faultAt(`[${index}]`, wrongType(TOKEN, value[index]));
}

export interface EmbeddingsRequest {
  readonly model: string;
  readonly body: EmbeddingBody;
}

/** Source: OpenAI's published OpenAPI document, `CreateEmbeddingRequest`. */
const FIELDS = {
  model: required(modelId),
  input: required(input),
  dimensions: nullable(integer(1, 65_536)),
  encoding_format: nullable(oneOf('float', 'base64')),
  user: nullable(text()),
};

const embeddingsRequest = shape(FIELDS);

/** A set, as a body may contain names of inherited properties. */
const EMBEDDINGS_FIELDS: ReadonlySet<string> = new Set(Object.keys(FIELDS));

/** Not passed on as they are: upstreams need their own form of the inputs. */
const HANDLED = new Set(['model', 'stream', 'stream_options']);

/** Validates a parsed JSON body. Throws a `GatewayError` 400 that names the invalid field. */
export function toEmbeddingsRequest(body: unknown): EmbeddingsRequest {
  const fields = bodyObject(body);
  refuseFaults(fields, embeddingsRequest);
  return {
    model: fields.model as string,
    body: {
      api: 'embeddings',
      fields: sentFields(fields, HANDLED),
      headers: {},
      inputs: inputsOf(fields.input as Parameters<typeof inputsOf>[0]),
      offset: 0,
      dimensions: (fields.dimensions as number | null | undefined) ?? null,
      encoding: fields.encoding_format === 'base64' ? 'base64' : 'float',
    },
  };
}

/** Tokens are only counted if a text could have too many at this rate. Denser texts are rare; upstreams refuse them. */
const BYTES_PER_TOKEN = 2;

/** Rejects with a `GatewayError` 400 if the model cannot serve the request. `isList`: `input` is a list of inputs. */
export async function checkAgainst(
  model: Pick<Model, 'dimensions' | 'maxInputTokens'>,
  { inputs, dimensions }: EmbeddingBody,
  isList: boolean,
  tokens: Pick<TokenCounter, 'count'>,
): Promise<void> {
  const { dimensions: most, maxInputTokens } = model;
  if (dimensions !== null && most !== null && dimensions > most) {
    const message = `Invalid value for 'dimensions': expected an integer from 1 to ${most}, got ${dimensions}.`;
    throw invalidRequest('invalid_value', 'dimensions', message);
  }
  if (maxInputTokens === null) return;
  for (const [index, input] of inputs.entries()) {
    const count = typeof input === 'string' ? await countText(input, maxInputTokens, tokens) : input.length;
    if (count > maxInputTokens) throw tooLong(isList ? `input[${index}]` : 'input', count, maxInputTokens);
  }
}

async function countText(text: string, most: number, tokens: Pick<TokenCounter, 'count'>): Promise<number> {
  const bytes = Buffer.byteLength(text);
  return bytes <= most * BYTES_PER_TOKEN ? 0 : tokens.count(text);
}

function tooLong(param: string, count: number, most: number): GatewayError {
  const message = `The model accepts inputs of at most ${most} tokens, but '${param}' has ${count}. Split the text.`;
  return gatewayError(400, 'context_length_exceeded', message, { param });
}

/** OpenAI's Embeddings API. For limits and prices, the inputs become the text of a chat message without an answer. */
export const embeddingsFormat: CallFormat = {
  api: 'embeddings',

  read(body) {
    const embeddings = toEmbeddingsRequest(body);
    const request = innerRequest(embeddings);
    return {
      request,
      charged: withUnreadFields(request, 'embeddings', embeddings.body.fields, EMBEDDINGS_FIELDS, 'input'),
      native: { body: embeddings.body, untranslated: [], untranslatable: notServed(embeddings.model) },
      check: (model, tokens) => checkAgainst(model, embeddings.body, isList(embeddings.body), tokens),
      reply: () => embeddingsReply,
    };
  },
};

/** Stateless, so all calls share it. Embeddings are never streamed. */
const embeddingsReply: Reply = {
  ...chatReply,
  whole({ nativeText, model, usage }) {
    const { prompt_tokens = 0, total_tokens = 0 } = usage ?? {};
    const rest = JSON.stringify({ model, usage: { prompt_tokens, total_tokens } });
    return `{"object":"list","data":[${nativeText}],${rest.slice(1)}`;
  },
};

function innerRequest({ model, body: { inputs } }: EmbeddingsRequest): ChatCompletionRequest {
  const content = inputs.map((input) => ({ type: 'text' as const, text: inputText(input) }));
  return { model, messages: [{ role: 'user', content }] };
}

function isList({ fields: { input }, inputs }: EmbeddingBody): boolean {
  return Array.isArray(input) && inputs[0] === input[0];
}

/** For a model whose upstreams have no embeddings although models.yaml says so. */
function notServed(model: string): GatewayError {
  const message = `The upstream of the model '${model}' has no embeddings. Choose another model.`;
  return gatewayError(400, 'model_not_supported', message, { param: 'model' });
}
