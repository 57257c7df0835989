import type { ProviderCall } from '../../contract/provider.adapter.js';

/** An id for a tool call that was given none: the same for the same place in the same answer. */
export function mintedId(call: ProviderCall, choice: number, index: number): string {
  return `call_${call.id.replace(/^chatcmpl-/, '')}_${choice}_${index}`;
}
