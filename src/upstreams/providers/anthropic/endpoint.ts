import type { EntryKeys } from '../../../config/upstream-protocol.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';

/** For clients that send none. */
const API_VERSION = '2023-06-01';
const VERTEX_VERSION = 'vertex-2023-10-16';

/** Vertex AI: the project and its location. */
export const ENTRY_KEYS: EntryKeys = { project: { requiredWith: 'google' }, location: { requiredWith: 'google' } };

/**
 * The request to Anthropic's API, or to Claude on Vertex AI if the upstream has a project. Vertex AI has the model in
 * the path and the version in the body (platform.claude.com, "Claude on Vertex AI").
 */
export function toEndpoint(
  call: ProviderCall,
  body: JsonObject,
  headers: Record<string, string> = {},
): ProviderRequest {
  const { project } = call.settings;
  if (project === undefined) {
    return { method: 'POST', path: '/v1/messages', headers: { 'anthropic-version': API_VERSION, ...headers }, body };
  }
  const { model: _, ...rest } = body;
  const { 'anthropic-version': __, ...others } = headers;
  return {
    method: 'POST',
    path: vertexPath(call, project),
    headers: others,
    body: { anthropic_version: VERTEX_VERSION, ...rest },
  };
}

function vertexPath({ settings, upstreamModel, request }: ProviderCall, project: string): string {
  const { location = 'global' } = settings;
  const method = request.stream === true ? 'streamRawPredict' : 'rawPredict';
  const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
  return `/v1/${place}/publishers/anthropic/models/${modelId(upstreamModel)}:${method}`;
}

/** `claude-sonnet-4-5@20250929`, as Anthropic's SDK writes it. */
function modelId(model: string): string {
  return encodeURIComponent(model).replaceAll('%40', '@');
}
