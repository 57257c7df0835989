import { isObject, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import type { Losses } from './losses.js';

export type CacheMark = { cache_control?: ReadonlyJsonObject };

/** The mark stays in the inner form: some translated targets read it, and the price of cache writes depends on it. */
export function cacheMark({ cache_control: mark }: { readonly cache_control?: unknown }, losses: Losses): CacheMark {
  if (!isObject(mark)) return {};
  losses.drop('cache_control');
  return { cache_control: mark };
}
