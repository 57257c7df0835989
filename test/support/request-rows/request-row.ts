import type { ChatCompletionRequest } from '../../../src/upstreams/contract/chat.types.js';

/** What becomes of a request at one adapter: the body holds `sent` and none of the paths of `lacks`, or it is refused. */
export type Outcome =
  | { sent: Record<string, unknown>; lacks?: readonly string[]; model?: string }
  | { refused: string; model?: string };

/**
 * One request of the contract. It goes through every adapter, and what is sent must be valid by the provider's published
 * types; `outcomes` says for some adapters, by protocol, what it becomes (`vertex` is gemini with a project).
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
