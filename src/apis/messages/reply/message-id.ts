const COMPLETION = 'chatcmpl-';

/** `chatcmpl-…` → `msg_…` with the same rest, so that the call can be found in the ledger by the id. */
export function messageId(completionId: string): string {
  return `msg_${withoutPrefix(completionId)}`;
}

/** The inverse of `completionIdOf`. */
export function requestIdOf(completionId: string): string {
  return completionId.startsWith(COMPLETION) ? `req_${withoutPrefix(completionId)}` : completionId;
}

function withoutPrefix(id: string): string {
  return id.startsWith(COMPLETION) ? id.slice(COMPLETION.length) : id;
}
