import type { EmbeddingAnswer } from '../../contract/chat.types.js';
import { countOf, objectOf, objectsOf, textOf } from '../../contract/json.js';
import type { EmbeddingBody } from '../../contract/native.body.js';
import type { EmbeddingsApi, NativeTarget, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { toVector } from '../shared/vectors.js';
import { isVertex, methodPath, resource } from './endpoint.js';

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
