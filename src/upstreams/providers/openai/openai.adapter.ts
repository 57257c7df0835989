import { BEARER } from '../../client/auth/api-key.scheme.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { NativeApi, ProviderAdapter } from '../../contract/provider.adapter.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { OpenAiChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';
import type { Dialect } from './dialect.js';
import { embeddingsOf } from './embeddings.js';
import { toError } from './failure.js';
import { forwardingTest, requestBody } from './request-body.js';
import { textCompletionsOf } from './text-completions.js';

/**
 * Adapter for APIs with OpenAI's Chat Completions format; a dialect describes their differences. `responses`: the
 * native Responses API.
 */
export function openAiAdapter(dialect: Dialect, responses: NativeApi | null = null): ProviderAdapter {
  const { protocol, path = '/chat/completions', auth = BEARER, entryKeys, capabilities, takesCacheKey } = dialect;
  const bodyOf = requestBody(dialect);
  const isForwarded = forwardingTest(dialect);
  const embeddings = embeddingsOf(dialect);
  const textCompletions = textCompletionsOf(dialect);
  return {
    protocol,
    framing: 'sse',
    auth,
    entryKeys,
    capabilities,
    takesForeignValues: 'except' in dialect.fields,
    passesLists: true,
    takesCacheKey,
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
          (field) => isForwarded(field) && (field !== 'service_tier' || field in body),
        ),
      };
    },

    fromResponse: (body, call) => toCompletion(body, call, dialect),
    fromStream: chunkStream((call, emit) => new OpenAiChunkReader(call, dialect, emit)),
    toError: (status, headers, body, call) => toError(status, headers, body, call, dialect),
  };
}
