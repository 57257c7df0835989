import { costOf } from '../../billing/price.js';
import { ignoredHeaders } from '../../upstreams/attempt/ignored-parameters.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { roughPromptTokens } from '../../upstreams/tokens/prompt-tokens.js';
import type { CompletionCall } from '../call/completion.call.js';
import { attemptHeaders } from './routed-answer.js';
import type { Run } from './run.js';

/** A candidate names omitted fields as in the inner form, and omitted parts of lists by the client's path. */
const FIELD = /^\w+$/;

/** Describes the attempts so far. `latest`: the serving or last started one. */
export function replyHeaders(call: CompletionCall, attempts: number, latest: Run | null): Record<string, string> {
  const headers = attemptHeaders(attempts);
  if (latest === null) return headers;
  const { candidate, attempt } = latest;
  if (candidate.model !== call.model) headers['x-gateway-fallback-from'] = call.request.model;
  const { leftOut } = candidate;
  if (leftOut.length === 0 && attempt.ignored.length === 0) return headers;
  const ofInnerForm = call.pathOf ?? ((path: string) => path);
  const ofCandidate = leftOut.map((path) => (FIELD.test(path) ? ofInnerForm(path) : path));
  const ofAttempt = candidate.native ? attempt.ignored : attempt.ignored.map(ofInnerForm);
  return { ...headers, ...ignoredHeaders([...ofCandidate, ...ofAttempt]) };
}

/** Records the estimated prompt cost that the upstream may bill but the caller is not charged. */
export function noteUncharged({ record, candidate }: Run, request: ChatCompletionRequest): void {
  const tokens = { input: roughPromptTokens(request), cached: 0, output: 0 };
  record.estimatedCostNanodollars = Number(costOf(tokens, candidate.model.price));
}
