import { type GatewayError, gatewayError } from '../../common/gateway.error.js';
import { endOfId } from '../../common/ids.js';
import type { CallFormat, Reply } from '../../completions/formats/call-format.js';
import { chatReply } from '../../completions/formats/chat.format.js';
import { paidFields } from '../../limits/paid-options.js';
import type { ChatChoice, ChatChunkChoice, ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { JsonObject } from '../../upstreams/contract/json.js';
import { withNativeForm } from '../../upstreams/tokens/native-walk.js';
import { bodyObject, refuseFaults, sentFields } from '../shared/checked-body.js';
import { inputText } from '../shared/tool-arguments.js';
import {
  TEXT_COMPLETION_FIELDS,
  type TextCompletionRequest,
  textCompletionRequest,
} from './text-completions.fields.js';

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
      charged: chargedRequest(request, sent),
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

/** With the fields that only servers of some makes read. */
function chargedRequest(request: ChatCompletionRequest, sent: JsonObject): ChatCompletionRequest {
  const others = Object.entries(sent).filter(([name]) => !TEXT_COMPLETION_FIELDS.has(name));
  if (others.length === 0) return request;
  const fields = { ...Object.fromEntries(others), prompt: request.messages };
  return withNativeForm({ ...paidFields(sent), ...request }, { api: 'completions', fields });
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
