import { costOf } from '../../billing/price.js';
import { ignoredHeaders } from '../../upstreams/attempt/ignored-parameters.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { roughPromptTokens } from '../../upstreams/tokens/prompt-tokens.js';
import type { CompletionCall } from '../call/completion.call.js';
import { attemptHeaders } from './routed-answer.js';
import type { Run } from './run.js';

/** What the reply's head tells of the attempts so far. `latest`: the one that serves, or began last. */
export function replyHeaders({ model }: CompletionCall, attempts: number, latest: Run | null): Record<string, string> {
  const headers = attemptHeaders(attempts);
  if (latest === null) return headers;
  const { candidate, attempt } = latest;
  if (candidate.model !== model) headers['x-gateway-fallback-from'] = model.id;
  const ignored = [...candidate.leftOut, ...attempt.ignored];
  return ignored.length > 0 ? { ...headers, ...ignoredHeaders(ignored) } : headers;
}

/** Notes what the upstream may bill for an attempt that the caller is not charged for: its prompt, by an estimate. */
export function noteUncharged({ record, candidate }: Run, request: ChatCompletionRequest): void {
  const tokens = { input: roughPromptTokens(request), cached: 0, output: 0 };
  record.estimatedCostNanodollars = Number(costOf(tokens, candidate.model.price));
}
