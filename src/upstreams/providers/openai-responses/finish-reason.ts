import type { FinishReason } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { type FailureReading, reportedFailure } from '../openai/failure.js';

/** Throws if the response failed. */
export function toFinishReason(
  response: JsonObject,
  called: boolean,
  call: ProviderCall,
  failures: FailureReading,
): FinishReason {
  const { status, error, incomplete_details: details } = response;
  if (isObject(error)) throw reportedFailure(response, call, failures);
  if (status === 'failed' || status === 'cancelled') {
    throw new UpstreamError({ status: 502, message: `The upstream ended its answer as "${status}".` });
  }
  const reason = status === 'incomplete' && isObject(details) ? details.reason : undefined;
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter') return 'content_filter';
  return called ? 'tool_calls' : 'stop';
}
