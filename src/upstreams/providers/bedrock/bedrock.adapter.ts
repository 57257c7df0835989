import { sigV4 } from '../../client/auth/sigv4.scheme.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { ProviderAdapter, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { lostStrictness } from '../shared/lost-strictness.js';
import { BedrockChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';
import { refusal } from './failure.js';
import { strictness } from './output-format.js';
import { isTaken, toRequestBody } from './request-body.js';

/**
 * Adapter for Amazon Bedrock's Converse and ConverseStream.
 *
 * Claude signs what it thought before it calls a tool, and wants that back with the tool's result: the signed thoughts
 * go to the client in the tool call itself, under `extra_content.anthropic`, and come back with the conversation. Where
 * a client lost them, a model that would insist on them answers without thinking. `parallel_tool_calls: false` and
 * `tool_choice: "none"`, which Converse does not have, are kept by handing on only the first call of an answer, or no
 * call. A model without structured outputs answers a JSON schema by a tool of that schema, whose input becomes the
 * content.
 */
export class BedrockAdapter implements ProviderAdapter {
  readonly protocol = 'bedrock';
  readonly framing = 'aws-event-stream';
  readonly auth = sigV4({
    service: 'bedrock',
    title: 'Bedrock',
    host: 'bedrock-runtime',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
  });
  readonly argumentsAreValues = true;
  /** Bedrock bills the whole answer, whether or not its connection is closed before. */
  readonly whenCallerLeaves = 'finish';
  readonly capabilities: ProviderAdapter['capabilities'] = {
    json_object: true,
    json_schema: true,
    multiple_choices: false,
    logprobs: false,
    audio_input: false,
    audio_output: false,
    file_input: true,
    image_address: false,
    tool_images: true,
    custom_tools: false,
    functions: false,
    logit_bias: false,
    web_search: false,
  };

  readonly fromResponse = toCompletion;
  readonly fromStream = chunkStream((call, emit) => new BedrockChunkReader(call, emit));
  readonly toError = refusal;

  toRequest(call: ProviderCall): ProviderRequest {
    const operation = call.request.stream === true ? 'converse-stream' : 'converse';
    const path = `/model/${encodeURIComponent(call.upstreamModel)}/${operation}`;
    return {
      method: 'POST',
      path,
      headers: {},
      body: toRequestBody(call),
      ignored: [
        ...ignoredFields(call.request, isTaken),
        ...lostStrictness(call.request, strictness(call.upstreamModel)),
      ],
    };
  }
}
