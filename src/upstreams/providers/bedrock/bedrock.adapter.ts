import { textMember } from '../../../json/json-members.js';
import { sigV4 } from '../../client/auth/sigv4.scheme.js';
import type { EmbeddingAnswer } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import { countOf, type JsonObject, objectOf } from '../../contract/json.js';
import type { EmbeddingBody, NativeApiName, NativeBody } from '../../contract/native.body.js';
import type {
  EmbeddingsApi,
  NativeApi,
  NativeTarget,
  ProviderAdapter,
  ProviderCall,
  ProviderRequest,
  UpstreamEvent,
  UpstreamHeaders,
} from '../../contract/provider.adapter.js';
import type { UpstreamError } from '../../contract/upstream.error.js';
import { betasOf, withoutRefused } from '../anthropic/failure.js';
import { fromNativeResponse, NativeMessagesReader, nativeRequestFields } from '../anthropic/native.api.js';
import { supporting } from '../shared/capabilities.js';
import { ignoredFields, lostStrictness } from '../shared/ignored-fields.js';
import { withLimitHeaders } from '../shared/retry-after.js';
import { COHERE_BATCH, cohereEmbeddingFields, cohereVectors, ignoredByCohere, toVector } from '../shared/vectors.js';
import { isReport, reportedFailure, toError } from './failure.js';
import { CacheMarks } from './messages.js';
import { isForwarded, novaEffort, toRequestBody } from './request.js';
import { BedrockChunkReader, toCompletion } from './response.js';
import { MAX_GROWTH, modelFamily, strictness } from './schema.js';

const API_VERSION = 'bedrock-2023-05-31';

/**
 * Anthropic's Messages API for Claude on Bedrock, with InvokeModel and InvokeModelWithResponseStream. The model is in
 * the path, beta features are a list in the body, and each event of a stream is base64 (AWS, "Anthropic Claude Messages
 * API").
 */
export class NativeBedrockMessages implements NativeApi {
  readonly framing = 'aws-event-stream';
  readonly fromStream = chunkStream((call, emit) => new InvokedChunkReader(call, emit));
  readonly fromResponse = fromNativeResponse;
  readonly withoutRefused = withoutRefused;

  toRequest(call: ProviderCall, { fields, headers }: NativeBody): ProviderRequest {
    const operation = call.request.stream === true ? 'invoke-with-response-stream' : 'invoke';
    const { model: _, stream: __, ...body } = nativeRequestFields(call, fields);
    body.anthropic_version = API_VERSION;
    const betas = betasOf(headers);
    if (betas.length > 0) body.anthropic_beta = betas;
    const path = `/model/${encodeURIComponent(call.upstreamModel)}/${operation}`;
    return { method: 'POST', path, headers: {}, body };
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    return withLimitHeaders(toError(status, headers, body, call), headers);
  }
}

/** Unwraps the model's events: `{"bytes": "…"}`. */
class InvokedChunkReader extends NativeMessagesReader {
  override read(event: UpstreamEvent): boolean {
    if (isReport(event)) throw reportedFailure(event, this.call);
    const bytes = event.event === 'chunk' ? textMember(event.data, 'bytes') : undefined;
    if (bytes === undefined) return false;
    return super.read({ event: '', data: Buffer.from(bytes, 'base64').toString('utf8') });
  }
}

const nativeMessages = new NativeBedrockMessages();

const BEDROCK = {
  service: 'bedrock',
  title: 'Bedrock',
  host: 'bedrock-runtime',
  keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
};

/**
 * Adapter for Amazon Bedrock's Converse and ConverseStream.
 *
 * Claude signs its reasoning before a tool call and requires it back with the tool result, so it is in the tool call's
 * `extra_content.anthropic`. If a client drops it and the model would insist on it, thinking is disabled. Converse has
 * neither `parallel_tool_calls: false` nor `tool_choice: "none"`, so only the first call of an answer is passed on, or
 * none. For a model without structured outputs, a JSON schema becomes the schema of an answer tool, whose input becomes
 * the content.
 */
export const bedrockAdapter = {
  protocol: 'bedrock',
  framing: 'aws-event-stream',
  auth: sigV4(BEDROCK, 'default'),
  identityAuth: 'aws',
  namedAuths: { aws: sigV4(BEDROCK, 'always') },
  argumentsAreValues: true,
  takesCacheMarks: true,
  /** Bedrock bills the whole answer even if the connection is closed early. */
  whenCallerLeaves: 'finish',
  capabilities: supporting(['json_object', 'json_schema', 'file_input', 'tool_images']),

  schemaGrowth: (upstreamModel: string) => (modelFamily(upstreamModel) === 'amazon' ? MAX_GROWTH : 1),

  fromResponse: toCompletion,
  fromStream: chunkStream((call, emit) => new BedrockChunkReader(call, emit)),
  toError,
  embeddings: embeddingsOf,

  nativeApi(api: NativeApiName, { upstreamModel }: NativeTarget) {
    return api === 'messages' && modelFamily(upstreamModel) === 'anthropic' ? nativeMessages : null;
  },

  toRequest(call: ProviderCall): ProviderRequest {
    const operation = call.request.stream === true ? 'converse-stream' : 'converse';
    const marks = new CacheMarks();
    const body = toRequestBody(call, marks);
    const path = `/model/${encodeURIComponent(call.upstreamModel)}/${operation}`;
    return {
      method: 'POST',
      path,
      headers: {},
      body,
      ignored: [
        ...(marks.areLeftOut ? ['cache_control'] : []),
        ...ignoredFields(call.request, isForwarded),
        ...(novaEffort(call)?.leftOut ?? []),
        ...lostStrictness(call.request, strictness(call)),
      ],
    };
  },
} satisfies ProviderAdapter;

const OF_TITAN = new Set(['input', 'dimensions', 'encoding_format']);

/** Titan and Cohere models, called with InvokeModel, as Converse has no embeddings. Null for other models. */
export function embeddingsOf({ upstreamModel }: NativeTarget): EmbeddingsApi | null {
  if (upstreamModel.includes('cohere.embed')) return cohere;
  return upstreamModel.includes('titan-embed') ? titan : null;
}

/** One text per request. Titan 2 has 256, 512 or 1024 dimensions; Titan 1 has no choice. */
const titan: EmbeddingsApi = {
  mostInputs: 1,
  takesTokens: false,
  toRequest: (call, { fields, inputs, dimensions }) =>
    invoke(
      call,
      { inputText: inputs[0], ...(dimensions !== null && { dimensions }) },
      ignoredFields(fields, (field) => OF_TITAN.has(field)),
    ),
  fromResponse(response): EmbeddingAnswer {
    const { embedding, inputTextTokenCount } = objectOf(response);
    return { vectors: [toVector(embedding)], inputTokens: countOf(inputTextTokenCount) };
  },
};

/** Reports its tokens only in a header. */
const cohere: EmbeddingsApi = {
  mostInputs: COHERE_BATCH,
  takesTokens: false,
  toRequest: (call, body: EmbeddingBody) => invoke(call, cohereEmbeddingFields(body), ignoredByCohere(body)),
  fromResponse: (response) => ({ vectors: cohereVectors(response) }),
};

function invoke({ upstreamModel }: ProviderCall, body: JsonObject, ignored: string[]): ProviderRequest {
  return { method: 'POST', path: `/model/${encodeURIComponent(upstreamModel)}/invoke`, headers: {}, body, ignored };
}
