import { BEARER } from '../../client/auth/api-key.scheme.js';
import type { EmbeddingAnswer } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import { countOf, type JsonObject, objectOf, objectsOf } from '../../contract/json.js';
import type { EmbeddingsApi, NativeApi, ProviderAdapter } from '../../contract/provider.adapter.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { toVector } from '../shared/vectors.js';
import { OpenAiChunkReader } from './chunk.reader.js';
import { type Dialect, fieldTest } from './dialect.js';
import { toError } from './failure.js';
import { forwardingTest, requestBody } from './request.js';
import { toCompletion } from './response.js';
import { textCompletionsOf } from './text-completions.js';

/** Accepted fields that dialects leave out of some requests. */
const LEFT_OUT_BY_DIALECTS: ReadonlySet<string> = new Set(['service_tier', 'temperature', 'top_p']);

/**
 * Adapter for APIs with OpenAI's Chat Completions format; a dialect describes their differences. `responses`: the
 * native Responses API.
 */
export function openAiAdapter(dialect: Dialect, responses: NativeApi | null = null): ProviderAdapter {
  const {
    protocol,
    path = '/chat/completions',
    auth = BEARER,
    namedAuths,
    entryKeys,
    whenCallerLeaves,
    capabilities,
    takesCacheKey,
    searchesUnasked,
    fileTool,
    rereadsPrompt,
  } = dialect;
  const bodyOf = requestBody(dialect);
  const isForwarded = forwardingTest(dialect);
  const takesImages = fieldTest(dialect.messageFields)('images');
  const embeddings = embeddingsOf(dialect);
  const textCompletions = textCompletionsOf(dialect);
  return {
    protocol,
    framing: 'sse',
    auth,
    namedAuths,
    entryKeys,
    whenCallerLeaves,
    capabilities,
    takesForeignValues: 'except' in dialect.fields,
    passesLists: true,
    takesCacheKey,
    searchesUnasked,
    fileTool,
    rereadsPrompt,
    embeddings: () => embeddings,
    textCompletions: () => textCompletions,

    nativeApi(api, { settings }) {
      const isOff = dialect.responses?.onRequest === true && settings.responses !== 'true';
      return api === 'responses' && !isOff ? responses : null;
    },

    toRequest(call) {
      const body = bodyOf(call);
      return {
        method: 'POST',
        path: typeof path === 'string' ? path : path(call),
        headers: {},
        body,
        ignored: ignoredFields(
          call.request,
          (field) => isForwarded(field, call) && (field in body || !LEFT_OUT_BY_DIALECTS.has(field)),
          takesImages,
        ),
      };
    },

    fromResponse: (body, call) => toCompletion(body, call, dialect),
    fromStream: chunkStream((call, emit) => new OpenAiChunkReader(call, dialect, emit)),
    toError: (status, headers, body, call) => toError(status, headers, body, call, dialect),
  };
}

/** Fields that are converted separately. */
const HANDLED = new Set(['input', 'dimensions', 'encoding_format']);

/** The embeddings of a dialect; null: it has none. */
export function embeddingsOf({ embeddings, fields: accepted }: Dialect): EmbeddingsApi | null {
  if (!embeddings) return null;
  const { path = '/embeddings', mostInputs, mostTokens, takesTokens, takesBase64 } = embeddings;
  const { dimensionsField = 'dimensions' } = embeddings;
  const isForwarded = fieldTest(accepted);
  return {
    mostInputs,
    mostTokens,
    takesTokens,
    takesBase64,

    toRequest(call, { fields, inputs, dimensions, encoding }) {
      const body: JsonObject = { model: call.upstreamModel, input: inputs };
      if (dimensions !== null) body[dimensionsField] = dimensions;
      if (takesBase64) body.encoding_format = encoding;
      for (const field of Object.keys(fields)) {
        if (!HANDLED.has(field) && isForwarded(field)) body[field] = fields[field];
      }
      return {
        method: 'POST',
        path: typeof path === 'string' ? path : path(call),
        headers: {},
        body,
        ignored: ignoredFields(fields, (field) => HANDLED.has(field) || isForwarded(field)),
      };
    },

    fromResponse,
  };
}

/** Entries are in the order of their `index`. */
function fromResponse(response: unknown): EmbeddingAnswer {
  const { data, usage } = objectOf(response);
  const entries = objectsOf(data).sort((a, b) => (countOf(a.index) ?? 0) - (countOf(b.index) ?? 0));
  const { prompt_tokens, total_tokens } = objectOf(usage);
  return {
    vectors: entries.map(({ embedding }) => toVector(embedding)),
    inputTokens: countOf(prompt_tokens) ?? countOf(total_tokens),
  };
}
