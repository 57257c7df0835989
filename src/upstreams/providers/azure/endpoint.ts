import type { ProviderCall } from '../../contract/provider.adapter.js';

/**
 * The classic surface names the deployment in the path and is asked for by a dated version (`2024-10-21`); the newer one
 * takes the deployment as the model, and needs no version unless a preview of it is asked for.
 */
export function endpoint({ settings, upstreamModel }: ProviderCall): string {
  const { apiVersion = 'v1' } = settings;
  const query = `?api-version=${encodeURIComponent(apiVersion)}`;
  if (isDated(apiVersion)) return `/openai/deployments/${encodeURIComponent(upstreamModel)}/chat/completions${query}`;
  return newerSurface('chat/completions', apiVersion);
}

/** Responses are had on the newer surface. */
export function responsesEndpoint({ settings }: ProviderCall): string {
  return newerSurface('responses', settings.apiVersion);
}

/** Whether the call goes to the newer surface. */
export function hasResponses({ settings }: ProviderCall): boolean {
  return !isDated(settings.apiVersion ?? 'v1');
}

function newerSurface(path: string, apiVersion = 'v1'): string {
  return `/openai/v1/${path}${apiVersion === 'v1' ? '' : `?api-version=${encodeURIComponent(apiVersion)}`}`;
}

/** Whether the version is older than another date. */
export function isBefore({ settings }: ProviderCall, date: string): boolean {
  const { apiVersion = 'v1' } = settings;
  return isDated(apiVersion) && apiVersion < date;
}

function isDated(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(version);
}
