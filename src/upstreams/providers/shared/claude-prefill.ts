import type { ProviderCall } from '../../contract/provider.adapter.js';
import { claudeVersion } from './claude.js';
import { hasPrefill, unsupportedPrefill } from './prefill.js';

/** First version (4.6) with "This model does not support assistant message prefill." */
const FIRST_WITHOUT_PREFILL = 406;

/** Throws if the API requires a user message at the end. */
export function hasClaudePrefill(call: ProviderCall): boolean {
  if (!hasPrefill(call)) return false;
  if (claudeVersion(call.upstreamModel) >= FIRST_WITHOUT_PREFILL) throw unsupportedPrefill(call);
  if (call.request.response_format?.type === 'json_schema')
    throw unsupportedPrefill(call, ' together with a JSON schema');
  return true;
}

/** "final assistant content cannot end with trailing whitespace". */
export function trimEnd(blocks: readonly object[] = []): void {
  const last = blocks.at(-1);
  if (last && 'text' in last && typeof last.text === 'string') last.text = last.text.trimEnd();
}
