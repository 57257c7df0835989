import { BEARER } from '../../client/auth/api-key.scheme.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { ProviderAdapter, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { CohereChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';
import { refusal } from './failure.js';
import { isTaken, toRequestBody } from './request-body.js';

/**
 * Adapter for Cohere's Chat API, version 2.
 *
 * - Tokens are told as Cohere bills them, since they are what a call costs. What the context held (the API's own
 *   template and what its cache served included) stands in `prompt_tokens_details`: see `toUsage`.
 * - What the model thought or planned before it calls tools is told as `reasoning_content`, and goes to the client once
 *   more in the first tool call, under `extra_content.cohere` (unknown fields of a tool call survive in the SDKs,
 *   streamed or not), since the API wants it back with the tools' results. No state is kept for it; without it the
 *   conversation is valid too.
 * - The API takes fewer letters in a tool's name than OpenAI's format: other names are changed on the way there and
 *   back.
 * - `parallel_tool_calls: false` is kept by handing on the first call of an answer only, since the API cannot be told.
 * - Its own fields `thinking`, `k` (or `top_k`), `documents`, `citation_options` and `safety_mode` are passed on.
 */
export class CohereAdapter implements ProviderAdapter {
  readonly protocol = 'cohere';
  readonly framing = 'sse';
  readonly auth = BEARER;
  readonly capabilities: ProviderAdapter['capabilities'] = {
    json_object: true,
    json_schema: true,
    multiple_choices: false,
    logprobs: true,
    audio_input: false,
    audio_output: false,
    file_input: false,
    image_address: true,
    custom_tools: false,
    functions: false,
    logit_bias: false,
    web_search: false,
  };

  readonly fromResponse = toCompletion;
  readonly fromStream = chunkStream((call, emit) => new CohereChunkReader(call, emit));
  readonly toError = refusal;

  toRequest(call: ProviderCall): ProviderRequest {
    return {
      method: 'POST',
      path: '/v2/chat',
      headers: {},
      body: toRequestBody(call),
      ignored: ignoredFields(call.request, isTaken),
    };
  }
}
