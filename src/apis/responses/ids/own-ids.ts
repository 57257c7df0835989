import { endOfId } from '../../../common/completion-id.js';

const OWN_REASONING = 'rs_gw1_';

/** `msg_…`, `fc_…`, `ctc_…`, unique across all answers. `call_…`: for tool calls without an id from the upstream. */
export function itemId(prefix: 'msg' | 'fc' | 'ctc' | 'call', callId: string, index: number): string {
  return `${prefix}_${endOfId(callId)}${index}`;
}

/** `rs_…` with a mark, as providers only know the ids that they created. */
export function reasoningId(callId: string, index: number): string {
  return `${OWN_REASONING}${endOfId(callId)}${index}`;
}

export function isOwnReasoningId(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith(OWN_REASONING);
}
