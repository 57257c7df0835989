import { sigV4 } from '../../client/auth/sigv4.scheme.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { NativeApiName } from '../../contract/native.body.js';
import type { NativeTarget, ProviderAdapter, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { supporting } from '../shared/capabilities.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { lostStrictness } from '../shared/lost-strictness.js';
import { BedrockChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';
import { embeddingsOf } from './embeddings.js';
import { toError } from './failure.js';
import { modelFamily } from './model-family.js';
import { NativeBedrockMessages } from './native.api.js';
import { strictness } from './output-format.js';
import { isForwarded, toRequestBody } from './request-body.js';

const nativeMessages = new NativeBedrockMessages();

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
  auth: sigV4({
    service: 'bedrock',
    title: 'Bedrock',
    host: 'bedrock-runtime',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
  }),
  argumentsAreValues: true,
  /** Bedrock bills the whole answer even if the connection is closed early. */
  whenCallerLeaves: 'finish',
  capabilities: supporting(['json_object', 'json_schema', 'file_input', 'tool_images']),

  fromResponse: toCompletion,
  fromStream: chunkStream((call, emit) => new BedrockChunkReader(call, emit)),
  toError,
  embeddings: embeddingsOf,

  nativeApi(api: NativeApiName, { upstreamModel }: NativeTarget) {
    return api === 'messages' && modelFamily(upstreamModel) === 'anthropic' ? nativeMessages : null;
  },

  toRequest(call: ProviderCall): ProviderRequest {
    const operation = call.request.stream === true ? 'converse-stream' : 'converse';
    const path = `/model/${encodeURIComponent(call.upstreamModel)}/${operation}`;
    return {
      method: 'POST',
      path,
      headers: {},
      body: toRequestBody(call),
      ignored: [
        ...ignoredFields(call.request, isForwarded),
        ...lostStrictness(call.request, strictness(call.upstreamModel)),
      ],
    };
  },
} satisfies ProviderAdapter;
