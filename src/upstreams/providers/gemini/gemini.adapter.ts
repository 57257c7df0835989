import { keyHeader } from '../../client/auth/api-key.scheme.js';
import { GOOGLE } from '../../client/auth/google.scheme.js';
import type { EmbeddingAnswer } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import { countOf, objectOf, objectsOf, textOf } from '../../contract/json.js';
import type { EmbeddingBody } from '../../contract/native.body.js';
import type {
  EmbeddingsApi,
  NativeTarget,
  ProviderAdapter,
  ProviderCall,
  ProviderRequest,
} from '../../contract/provider.adapter.js';
import { supporting } from '../shared/capabilities.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { toVector } from '../shared/vectors.js';
import { endpointPath, isVertex, methodPath, resource, tierHeaders } from './endpoint.js';
import { toError } from './failure.js';
import { isForwarded, toRequestBody } from './request.js';
import { GeminiChunkReader, toCompletion } from './response.js';

/**
 * Adapter for Google's generateContent, on the Gemini API and Vertex AI (upstreams.yaml: `project`, `location`, `auth:
 * google`).
 *
 * Gemini 3 requires thought signatures back with its function calls. They are in `extra_content.google` of the tool
 * call or, for text, of the message. A call without its signature is sent with Google's documented placeholder, so that
 * the conversation can continue. For `parallel_tool_calls: false` only the first call is passed on, as the API has no
 * such option.
 */
export const geminiAdapter = {
  protocol: 'gemini',
  framing: 'sse',
  auth: keyHeader('x-goog-api-key'),
  namedAuths: { google: GOOGLE },
  entryKeys: {
    apiVersion: {},
    project: { requiredWith: 'google' },
    location: { requiredWith: 'google' },
  },
  argumentsAreValues: true,
  capabilities: supporting([
    'json_object',
    'json_schema',
    'multiple_choices',
    'logprobs',
    'audio_input',
    'image_output',
    'file_input',
    'image_address',
    'tool_images',
    'web_search',
  ]),

  fromResponse: toCompletion,
  fromStream: chunkStream((call, emit) => new GeminiChunkReader(call, emit)),
  toError,
  embeddings: embeddingsOf,

  toRequest(call: ProviderCall): ProviderRequest {
    return {
      method: 'POST',
      path: endpointPath(call),
      headers: tierHeaders(call),
      body: toRequestBody(call),
      ignored: ignoredFields(call.request, isForwarded, true),
    };
  },
} satisfies ProviderAdapter;

/** "The maximum number of texts": `batchEmbedContents` of the Gemini API, and `predict` of Vertex AI. */
const BATCH = 100;
const VERTEX_BATCH = 250;
const VERTEX_TOKENS = 20_000;

/** Embeddings of the Gemini API (ai.google.dev/api/embeddings), or of Vertex AI if the upstream has a project. */
export function embeddingsOf(target: NativeTarget): EmbeddingsApi {
  if (!isVertex(target)) {
    return { mostInputs: BATCH, takesTokens: false, toRequest: toBatch, fromResponse: fromBatch };
  }
  // On Vertex AI, Gemini models accept one text per request.
  const mostInputs = target.upstreamModel.includes('gemini') ? 1 : VERTEX_BATCH;
  const limits = { mostInputs, mostTokens: VERTEX_TOKENS };
  return { ...limits, takesTokens: false, toRequest: toPrediction, fromResponse: fromPrediction };
}

function toBatch(call: ProviderCall, { fields, inputs, dimensions }: EmbeddingBody): ProviderRequest {
  const model = resource(call.upstreamModel, 'models/');
  const taskType = textOf(fields.task_type);
  const requests = inputs.map((text) => ({
    model,
    content: { parts: [{ text }] },
    ...(taskType && { taskType }),
    ...(dimensions !== null && { outputDimensionality: dimensions }),
  }));
  return { ...postTo(methodPath(call, 'batchEmbedContents'), fields), body: { requests } };
}

function fromBatch(response: unknown): EmbeddingAnswer {
  const { embeddings, usageMetadata } = objectOf(response);
  return {
    vectors: objectsOf(embeddings).map(({ values }) => toVector(values)),
    inputTokens: countOf(objectOf(usageMetadata).promptTokenCount),
  };
}

/** Has `autoTruncate: false`, as the end of a long text would otherwise be dropped silently. */
function toPrediction(call: ProviderCall, { fields, inputs, dimensions }: EmbeddingBody): ProviderRequest {
  const task = textOf(fields.task_type);
  const instances = inputs.map((content) => ({ content, ...(task && { task_type: task }) }));
  const parameters = { autoTruncate: false, ...(dimensions !== null && { outputDimensionality: dimensions }) };
  return { ...postTo(methodPath(call, 'predict'), fields), body: { instances, parameters } };
}

function fromPrediction(response: unknown): EmbeddingAnswer {
  const predictions = objectsOf(objectOf(response).predictions);
  const embeddings = predictions.map((prediction) => objectOf(prediction.embeddings));
  const counts = embeddings.map(({ statistics }) => countOf(objectOf(statistics).token_count));
  return {
    vectors: embeddings.map(({ values }) => toVector(values)),
    inputTokens: counts.includes(undefined) ? undefined : counts.reduce((sum, count = 0) => (sum ?? 0) + count, 0),
  };
}

const FORWARDED = new Set(['input', 'dimensions', 'encoding_format', 'task_type']);

function postTo(path: string, fields: EmbeddingBody['fields']) {
  const ignored = ignoredFields(fields, (field) => FORWARDED.has(field));
  return { method: 'POST' as const, path, headers: {}, ignored };
}
