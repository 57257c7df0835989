import { withMembers } from '../../../json/json-members.js';
import type { ChatCompletion, ChatCompletionChunk } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import { countOf, objectOf } from '../../contract/json.js';
import type { NativeBody } from '../../contract/native.body.js';
import type { NativeApi, NativeCounts, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { NativeChunkReader, type NativeStreamForm } from '../shared/native/native-chunk.reader.js';
import { parsedAnswer } from '../shared/native/parsed-answer.js';
import { AnthropicChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';
import { toCountEndpoint, toEndpoint } from './endpoint.js';
import { toError } from './failure.js';
import { withoutRefused } from './native-refusals.js';
import { nativeRequestFields } from './native-request.js';

const STREAM: NativeStreamForm = {
  isPreamble: (name) => name === 'ping',
  edits: (name, { model }) => (name === 'message_start' ? { message: { model: JSON.stringify(model) } } : null),
};

/** The native Messages API of Anthropic and Vertex AI. */
export class NativeMessages implements NativeApi {
  readonly framing = 'sse';
  readonly fromStream = chunkStream((call, emit) => new NativeMessagesReader(call, emit));
  readonly toError = toError;
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
}

export class NativeMessagesReader extends NativeChunkReader {
  constructor(call: ProviderCall, emit: (chunk: ChatCompletionChunk) => void) {
    super(call, emit, STREAM, (call, emit) => new AnthropicChunkReader(asAnswered(call), emit));
  }
}

export function fromNativeResponse(text: string, call: ProviderCall): ChatCompletion {
  const completion = toCompletion(parsedAnswer(text), asAnswered(call));
  completion.nativeText = withMembers(text, { model: JSON.stringify(call.model) });
  return completion;
}

/** For native requests the model answers a schema as text, never with an answer tool. */
function asAnswered(call: ProviderCall): ProviderCall {
  const { response_format: format, ...request } = call.request;
  return format === undefined ? call : { ...call, request };
}
