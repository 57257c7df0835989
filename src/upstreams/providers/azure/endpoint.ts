import type { NativeTarget, ProviderCall } from '../../contract/provider.adapter.js';

/**
 * Returns the function from a call to the path of an API. The classic API has the deployment in the path, and a dated
 * version (`2024-10-21`). v1 has the deployment as the model, and needs a version only for previews.
 */
export function endpoint(api: string): (call: NativeTarget) => string {
  return ({ settings: { apiVersion = 'v1' }, upstreamModel }) => {
    if (!isDated(apiVersion)) return newerSurface(api, apiVersion);
    const version = encodeURIComponent(apiVersion);
    return `/openai/deployments/${encodeURIComponent(upstreamModel)}/${api}?api-version=${version}`;
  };
}

/** Only v1 has the Responses API. */
export function responsesEndpoint({ settings }: ProviderCall): string {
  return newerSurface('responses', settings.apiVersion);
}

/** Whether the call uses v1. */
export function hasResponses({ settings }: NativeTarget): boolean {
  return !isDated(settings.apiVersion ?? 'v1');
}

function newerSurface(path: string, apiVersion = 'v1'): string {
  return `/openai/v1/${path}${apiVersion === 'v1' ? '' : `?api-version=${encodeURIComponent(apiVersion)}`}`;
}

/** Whether the configured version is older than `date`. */
export function isBefore({ settings }: ProviderCall, date: string): boolean {
  const { apiVersion = 'v1' } = settings;
  return isDated(apiVersion) && apiVersion < date;
}

function isDated(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(version);
}
