import { parseIfJson } from '../../../json/exact-json.js';
import { fileIn } from '../../contract/conversation-files.js';
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import type { UpstreamFailure } from '../../contract/upstream.error.js';
import { type Dialect, type ErrorFacts, errorFacts, type MessageExtras } from '../openai/dialect.js';
import { isSearchModel } from '../openai/openai.dialect.js';
import { supporting } from '../shared/capabilities.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';

/**
 * OpenRouter accepts more than OpenAI's format, but callers must not redirect a call or raise its price (`models`,
 * `provider`, `plugins`, `preset`).
 */
export const openRouterDialect = {
  protocol: 'openrouter',
  // "For non-streaming requests or unsupported providers, the model will continue processing and you will be billed for
  // the complete response" (openrouter.ai/docs, "Stream Cancellation"). Bedrock, Google, Groq and Mistral are such.
  whenCallerLeaves: 'finish',
  searchesUnasked: (model: string) => /^perplexity\/|:online$/.test(model) || isSearchModel(model),
  responses: { withheld: ['models', 'plugins', 'preset', 'provider', 'route', 'transforms'], adjust: withoutPaidOcr },
  embeddings: { mostInputs: 2048, takesTokens: true, takesBase64: true },
  textCompletions: { takesSuffix: false, takesLists: false },
  capabilities: supporting(['json_object', 'json_schema', 'file_input', 'image_address'], {
    forwarding: ['logprobs', 'audio_input', 'audio_output', 'image_output', 'logit_bias', 'web_search'],
  }),
  fields: {
    only: [
      ...COMMON_FIELDS,
      'audio',
      'include_reasoning',
      'logit_bias',
      'logprobs',
      'metadata',
      'min_p',
      'modalities',
      'parallel_tool_calls',
      'prediction',
      'prompt_cache_key',
      'reasoning',
      'repetition_penalty',
      'seed',
      'top_a',
      'top_k',
      'top_logprobs',
      'user',
      'verbosity',
      'web_search_options',
    ],
  },
  messageFields: {
    only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal', 'audio', 'reasoning_details', 'images'],
  },
  // `cache_control` is forwarded to Anthropic and Google (openrouter.ai/docs/features/prompt-caching).
  partFields: { only: ['type', 'text', 'image_url', 'input_audio', 'file', 'video_url', 'refusal', 'cache_control'] },
  imageDetails: ['auto', 'low', 'high', 'original'],
  schemaMayLack: true,
  outputLimit: 'max_completion_tokens',
  streamUsage: 'stream_options',
  developerRole: true,
  adjust(body, call) {
    withoutPaidOcr(body, call);
    if (body.reasoning_effort === undefined) return;
    body.reasoning ??= { effort: body.reasoning_effort };
    delete body.reasoning_effort;
  },

  reasoningFields: ['reasoning'],
  extras: () => new ReasoningDetails(),
  errorBody: providersError,
  refineFailure,
} as const satisfies Dialect;

/**
 * For a model that does not read files, OpenRouter by default has another read them, at a price for each page
 * (openrouter.ai/docs, "PDF Inputs"): models with a price read their files themselves, or refuse them.
 */
function withoutPaidOcr(body: JsonObject, { isPaid }: ProviderCall): void {
  if (isPaid && fileIn([body.messages, body.input]) !== null) {
    body.plugins = [{ id: 'file-parser', pdf: { engine: 'native' } }];
  }
}

/**
 * The provider's own error. `metadata.raw` has its body as text, next to the router's "Provider returned error" and a
 * status as `code`.
 */
function providersError(body: unknown): unknown {
  if (!isObject(body)) return body;
  const error = isObject(body.error) ? body.error : body;
  const { raw } = objectOf(error.metadata);
  if (!raw) return body;
  const { message, type, param, code } = errorFacts(typeof raw === 'string' ? parseIfJson(raw) : raw);
  return {
    status: error.code,
    message: message ?? error.message,
    type: type ?? error.type,
    param: param ?? error.param,
    code: code ?? error.code,
  };
}

/** Moderation has the same status as a bad credential. */
function refineFailure(failure: UpstreamFailure, { message = '' }: ErrorFacts): UpstreamFailure {
  if (failure.status !== 403 || !/\bflagged\b/i.test(message)) return failure;
  return { ...failure, status: 400, code: 'content_filter', message: 'The input was flagged by moderation.' };
}

/** The streamed field of an entry, by its type; encrypted entries arrive whole. */
const TEXT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['reasoning.text', 'text'],
  ['reasoning.summary', 'summary'],
]);

/**
 * Collects `reasoning_details`: reasoning with the signatures that its API requires back with a tool result. The client
 * receives it with the same name and sends it back with the message, so that the gateway need not store it.
 */
class ReasoningDetails implements MessageExtras {
  private readonly details: JsonObject[] = [];

  /** Only a delta's first entry can continue the previous one. */
  read({ reasoning_details: entries }: JsonObject): void {
    const [first, ...others] = objectsOf(entries);
    const last = this.details.at(-1);
    if (first && last && last.type === first.type && last.index === first.index) this.continue(last, first);
    else if (first) this.details.push({ ...first });
    this.details.push(...others.map((entry) => ({ ...entry })));
  }

  fields(): JsonObject {
    return this.details.length > 0 ? { reasoning_details: this.details } : {};
  }

  private continue(last: JsonObject, entry: JsonObject): void {
    const field = TEXT_FIELDS.get(entry.type);
    if (field === undefined) {
      this.details.push({ ...entry });
      return;
    }
    const text = `${textOf(last[field]) ?? ''}${textOf(entry[field]) ?? ''}`;
    const fields = Object.entries(entry).filter(([, value]) => value !== null);
    // Spread instead of assignment: no key can set the prototype.
    this.details[this.details.length - 1] = { ...last, ...Object.fromEntries(fields), [field]: text };
  }
}
