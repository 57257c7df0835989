import type { ProviderCall } from '../../contract/provider.adapter.js';
import { claudeVersion } from './claude.js';
import { hasPrefill, unsupportedPrefill } from './prefill.js';

/** Since when a model refuses to go on with its own words: "This model does not support assistant message prefill." */
const FIRST_WITHOUT_PREFILL = 406;

/** Whether Claude is to go on with an answer that has begun; throws where the API wants the user last. */
export function hasClaudePrefill(call: ProviderCall): boolean {
  if (!hasPrefill(call)) return false;
  if (claudeVersion(call.upstreamModel) >= FIRST_WITHOUT_PREFILL) throw unsupportedPrefill(call);
  if (call.request.response_format?.type === 'json_schema') throw unsupportedPrefill(call, ' beside a JSON schema');
  return true;
}

/** Without the white space that ends the last text: "final assistant content cannot end with trailing whitespace". */
export function trimEnd(blocks: readonly object[] = []): void {
  const last = blocks.at(-1);
  if (last && 'text' in last && typeof last.text === 'string') last.text = last.text.trimEnd();
}
