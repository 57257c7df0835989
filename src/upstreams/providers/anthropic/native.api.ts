import { withMembers } from '../../../json/json-members.js';
import type { ChatCompletion, ChatCompletionChunk } from '../../contract/chat.types.js';
import { chunkStream, noteAnswerId } from '../../contract/chunk.reader.js';
import { countOf, isObject, type JsonObject, objectOf, type ReadonlyJsonObject } from '../../contract/json.js';
import type { NativeBody } from '../../contract/native.body.js';
import type {
  HostedCallLimits,
  NativeApi,
  NativeCounts,
  ProviderCall,
  ProviderRequest,
  UpstreamHeaders,
} from '../../contract/provider.adapter.js';
import type { UpstreamError } from '../../contract/upstream.error.js';
import { changed } from '../openai/dialect.js';
import { MIN_BUDGET } from '../shared/claude.js';
import {
  allowedCalls,
  NativeChunkReader,
  type NativeStreamForm,
  nativeFields,
  parsedAnswer,
} from '../shared/native.js';
import { withLimitHeaders } from '../shared/retry-after.js';
import { toError, withoutRefused } from './failure.js';
import { toCountEndpoint, toEndpoint } from './request.js';
import { AnthropicChunkReader, toCompletion } from './response.js';

const STREAM: NativeStreamForm = {
  isPreamble: (name) => name === 'ping',
  edits: (name, { model }) => (name === 'message_start' ? { message: { model: JSON.stringify(model) } } : null),
  wholes: 'content_block_start',
  wholeOutput: ({ content_block: block }) => objectOf(block).input,
};

/** The native Messages API of Anthropic and Vertex AI. */
export class NativeMessages implements NativeApi {
  readonly framing = 'sse';
  readonly fromStream = chunkStream((call, emit) => new NativeMessagesReader(call, emit));
  readonly fromResponse = fromNativeResponse;
  readonly withoutRefused = withoutRefused;
  /** `POST /v1/messages/count_tokens`, and its equivalent on Vertex AI. */
  readonly counts: NativeCounts = {
    toRequest: toCountEndpoint,
    fromResponse: (body) => countOf(objectOf(body).input_tokens),
  };

  toRequest(call: ProviderCall, { fields, headers }: NativeBody): ProviderRequest {
    return toEndpoint(call, nativeRequestFields(call, fields), headers);
  }

  toError(status: number, headers: UpstreamHeaders, body: unknown, call: ProviderCall): UpstreamError {
    return withLimitHeaders(toError(status, headers, body, call), headers, 'anthropic-ratelimit-');
  }
}

export class NativeMessagesReader extends NativeChunkReader {
  constructor(call: ProviderCall, emit: (chunk: ChatCompletionChunk) => void) {
    super(call, emit, STREAM, (call, emit) => new AnthropicChunkReader(asAnswered(call), emit));
  }
}

export function fromNativeResponse(text: string, call: ProviderCall): ChatCompletion {
  const body = parsedAnswer(text);
  const completion = toCompletion(body, asAnswered(call));
  noteAnswerId(call, objectOf(body).id);
  completion.nativeText = withMembers(text, { model: JSON.stringify(call.model) });
  return completion;
}

/** For native requests the model answers a schema as text, never with an answer tool. */
function asAnswered(call: ProviderCall): ProviderCall {
  const { response_format: format, ...request } = call.request;
  return format === undefined ? call : { ...call, request };
}

const FIELDS = {
  outputLimit: 'max_tokens',
  sampling: { temperature: 'temperature', top_p: 'top_p', top_k: 'top_k', stop_sequences: 'stop' },
};

export function nativeRequestFields(call: ProviderCall, fields: ReadonlyJsonObject): JsonObject {
  const body = nativeFields(call, fields, FIELDS);
  if (body.max_tokens !== fields.max_tokens) fitThinking(body);
  const { maxHostedCalls } = call;
  if (maxHostedCalls !== null && Array.isArray(body.tools)) {
    body.tools = changed(body.tools, (tool: unknown) => withMaxUses(tool, maxHostedCalls));
  }
  return body;
}

/** The tools that take `max_uses`: `web_search_20250305`, `web_fetch_20250910` … */
const LIMITED_TOOL = /^web_(?:search|fetch)_/;

function withMaxUses(tool: unknown, limits: HostedCallLimits): unknown {
  if (!isObject(tool) || !LIMITED_TOOL.test(String(tool.type))) return tool;
  const own = countOf(tool.max_uses);
  const calls = allowedCalls(own, limits);
  return calls === own ? tool : { ...tool, max_uses: calls };
}

/** A budget for thinking has a minimum, and must stay below an output limit that was lowered. */
function fitThinking(body: JsonObject): void {
  const { thinking, max_tokens: limit } = body;
  if (!isObject(thinking) || typeof thinking.budget_tokens !== 'number' || typeof limit !== 'number') return;
  if (thinking.budget_tokens < limit) return;
  body.thinking = limit > MIN_BUDGET ? { ...thinking, budget_tokens: limit - 1 } : { type: 'disabled' };
}
