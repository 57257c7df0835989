import { BEARER } from '../../client/auth/api-key.scheme.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { NativeApi, ProviderAdapter } from '../../contract/provider.adapter.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { OpenAiChunkReader } from './chunk.reader.js';
import { type Dialect, fieldTest } from './dialect.js';
import { embeddingsOf } from './embeddings.js';
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
    capabilities,
    takesCacheKey,
    searchesUnasked,
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
    capabilities,
    takesForeignValues: 'except' in dialect.fields,
    passesLists: true,
    takesCacheKey,
    searchesUnasked,
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
