import { textMember } from '../../../json/json-members.js';
import type { ChatCompletionChunk } from '../../contract/chat.types.js';
import { ChunkReader, chunkStream } from '../../contract/chunk.reader.js';
import type { NativeBody, ReducedBody } from '../../contract/native.body.js';
import type { NativeApi, ProviderCall, ProviderRequest, UpstreamEvent } from '../../contract/provider.adapter.js';
import type { UpstreamFailure } from '../../contract/upstream.error.js';
import { createNativeReader, fromNativeResponse } from '../anthropic/native.api.js';
import { nativeRequestFields } from '../anthropic/native-request.js';
import { withoutThinking } from '../anthropic/native-thoughts.js';
import type { NativeChunkReader } from '../shared/native/native-chunk.reader.js';
import { isReport, reportedFailure, toError } from './failure.js';

const API_VERSION = 'bedrock-2023-05-31';

/**
 * Anthropic's Messages API for Claude on Bedrock, by InvokeModel and InvokeModelWithResponseStream: the model is in the
 * path, beta features are a list in the body, and each event of a stream comes as base64 (AWS, "Anthropic Claude
 * Messages API").
 */
export class NativeBedrockMessages implements NativeApi {
  readonly framing = 'aws-event-stream';
  readonly fromStream = chunkStream((call, emit) => new InvokedChunkReader(call, emit));
  readonly toError = toError;
  readonly fromResponse = fromNativeResponse;

  toRequest(call: ProviderCall, { fields, headers }: NativeBody): ProviderRequest {
    const operation = call.request.stream === true ? 'invoke-with-response-stream' : 'invoke';
    const { model: _, stream: __, ...body } = nativeRequestFields(call, fields);
    body.anthropic_version = API_VERSION;
    const betas = betasOf(headers);
    if (betas.length > 0) body.anthropic_beta = betas;
    const path = `/model/${encodeURIComponent(call.upstreamModel)}/${operation}`;
    return { method: 'POST', path, headers: {}, body };
  }

  /** Bedrock knows only some beta features, and refuses others: "invalid beta flag". */
  withoutRefused(body: NativeBody, { refusedPart }: UpstreamFailure): ReducedBody | null {
    if (refusedPart === 'reasoning') return withoutThinking(body);
    if (refusedPart !== 'betas') return null;
    const betas = betasOf(body.headers);
    const known = betas.filter((beta) => KNOWN_BETAS.has(beta));
    if (known.length === betas.length) return null;
    const headers = { ...body.headers, 'anthropic-beta': known.join(',') };
    return { body: { ...body, headers }, leftOut: ['anthropic-beta'] };
  }
}

/** In AWS's documentation of the API. */
const KNOWN_BETAS: ReadonlySet<string> = new Set([
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'token-efficient-tools-2025-02-19',
  'interleaved-thinking-2025-05-14',
  'output-128k-2025-02-19',
  'dev-full-thinking-2025-05-14',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'effort-2025-11-24',
  'tool-search-tool-2025-10-19',
  'tool-examples-2025-10-29',
]);

function betasOf({ 'anthropic-beta': betas = '' }: NativeBody['headers']): string[] {
  return betas.split(',').flatMap((beta) => beta.trim() || []);
}

/** Unwraps the events of the model: `{"bytes": "…"}`. */
class InvokedChunkReader extends ChunkReader {
  private readonly reader: NativeChunkReader;

  constructor(call: ProviderCall, emit: (chunk: ChatCompletionChunk) => void) {
    super(call, emit);
    this.reader = createNativeReader(call, emit);
  }

  read(event: UpstreamEvent): boolean {
    if (isReport(event)) throw reportedFailure(event, this.call);
    const bytes = event.event === 'chunk' ? textMember(event.data, 'bytes') : undefined;
    if (bytes === undefined) return false;
    return this.reader.read({ event: '', data: Buffer.from(bytes, 'base64').toString('utf8') });
  }

  override usageSoFar(): ReturnType<ChunkReader['usageSoFar']> {
    return this.reader.usageSoFar();
  }

  override close(): void {
    this.reader.close();
  }
}
