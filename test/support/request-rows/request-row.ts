import type { ChatCompletionRequest } from '../../../src/upstreams/contract/chat.types.js';

/**
 * One adapter's result for a request: the body contains `sent` and none of the paths in `lacks`, or the request is
 * refused.
 */
export type Outcome =
  | { sent: Record<string, unknown>; lacks?: readonly string[]; model?: string }
  | { refused: string; model?: string };

/**
 * One request of the contract. Every adapter translates it, and the body must be valid by the provider's published
 * types; `outcomes` gives further expectations by protocol (`vertex` is gemini with a project).
 */
export interface RequestRow {
  name: string;
  request: Partial<ChatCompletionRequest>;
  outcomes: Readonly<Record<string, Outcome | readonly Outcome[]>>;
}

/** The same outcome for each of these protocols. */
export function each(protocols: readonly string[], outcome: Outcome): RequestRow['outcomes'] {
  return Object.fromEntries(protocols.map((protocol) => [protocol, outcome]));
}
