const COMPLETION = 'chatcmpl-';
const OWN_REASONING = 'rs_gw1_';

/** `resp_…`, from the gateway's id of the call. */
export function responseId(callId: string): string {
  return `resp_${tailOf(callId)}`;
}

/** `msg_…`, `fc_…`, `ctc_…`, unique across all answers. `call_…`: for tool calls without an id from the upstream. */
export function itemId(prefix: 'msg' | 'fc' | 'ctc' | 'call', callId: string, index: number): string {
  return `${prefix}_${tailOf(callId)}${index}`;
}

/** `rs_…` with a mark, as providers only know the ids that they created. */
export function reasoningId(callId: string, index: number): string {
  return `${OWN_REASONING}${tailOf(callId)}${index}`;
}

export function isOwnReasoningId(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith(OWN_REASONING);
}

function tailOf(callId: string): string {
  return callId.startsWith(COMPLETION) ? callId.slice(COMPLETION.length) : callId;
}
