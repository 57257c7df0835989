import type { ProviderCall } from '../../contract/provider.adapter.js';

/** The id of a function call or its result where the API takes one: Vertex AI goes by name and order. */
export function callId(id: string, { settings }: ProviderCall): { id?: string } {
  return settings.project === undefined ? { id } : {};
}
