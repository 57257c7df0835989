import type { ProviderCall } from '../provider.adapter.js';

/**
 * The classic surface names the deployment in the path and is asked for by a dated version (`2024-10-21`); the newer one
 * takes the deployment as the model, and needs no version unless a preview of it is asked for.
 */
export function endpoint({ settings, upstreamModel }: ProviderCall): string {
  const { apiVersion = 'v1' } = settings;
  const query = `?api-version=${encodeURIComponent(apiVersion)}`;
  if (isDated(apiVersion)) return `/openai/deployments/${encodeURIComponent(upstreamModel)}/chat/completions${query}`;
  return `/openai/v1/chat/completions${apiVersion === 'v1' ? '' : query}`;
}

/** Whether the version is older than another date. */
export function isBefore({ settings }: ProviderCall, date: string): boolean {
  const { apiVersion = 'v1' } = settings;
  return isDated(apiVersion) && apiVersion < date;
}

function isDated(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(version);
}
