import type { NativeBody } from '../contract/native.body.js';
import type { NativeApi, NativeTarget, ProviderAdapter } from '../contract/provider.adapter.js';
import { EmbeddingsReader } from './embeddings.reader.js';

/** The native API of a target for this request; null: it has none. */
export function nativeApiOf(adapter: ProviderAdapter, body: NativeBody, target: NativeTarget): NativeApi | null {
  if (body.api === 'completions') return adapter.textCompletions?.(target) ?? null;
  if (body.api !== 'embeddings') return adapter.nativeApi?.(body.api, target) ?? null;
  const embeddings = adapter.embeddings?.(target) ?? null;
  return embeddings && new EmbeddingsReader(embeddings, adapter, body);
}
