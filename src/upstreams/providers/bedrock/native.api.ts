import { textMember } from '../../../json/json-members.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import type { NativeBody } from '../../contract/native.body.js';
import type { NativeApi, ProviderCall, ProviderRequest, UpstreamEvent } from '../../contract/provider.adapter.js';
import { fromNativeResponse, NativeMessagesReader } from '../anthropic/native.api.js';
import { betasOf, withoutRefused } from '../anthropic/native-refusals.js';
import { nativeRequestFields } from '../anthropic/native-request.js';
import { isReport, reportedFailure, toError } from './failure.js';

const API_VERSION = 'bedrock-2023-05-31';

/**
 * Anthropic's Messages API for Claude on Bedrock, with InvokeModel and InvokeModelWithResponseStream. The model is in
 * the path, beta features are a list in the body, and each event of a stream is base64 (AWS, "Anthropic Claude Messages
 * API").
 */
export class NativeBedrockMessages implements NativeApi {
  readonly framing = 'aws-event-stream';
  readonly fromStream = chunkStream((call, emit) => new InvokedChunkReader(call, emit));
  readonly toError = toError;
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
