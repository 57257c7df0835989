import type { EntryKeys } from '../../../config/upstream-protocol.js';
import type { JsonObject } from '../../contract/json.js';
import type { NativeBody } from '../../contract/native.body.js';
import type { ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';

/** Used if the client sends none. */
const API_VERSION = '2023-06-01';
const VERTEX_VERSION = 'vertex-2023-10-16';

/** Vertex AI: the project and its location. */
export const ENTRY_KEYS: EntryKeys = { project: { requiredWith: 'google' }, location: { requiredWith: 'google' } };

/**
 * The request to Anthropic's API, or to Claude on Vertex AI if the upstream has a project. Vertex AI has the model in
 * the path and the version in the body (platform.claude.com, "Claude on Vertex AI").
 */
export function toEndpoint(call: ProviderCall, body: JsonObject, headers: NativeBody['headers'] = {}): ProviderRequest {
  const { project } = call.settings;
  if (project === undefined) {
    return { method: 'POST', path: '/v1/messages', headers: { 'anthropic-version': API_VERSION, ...headers }, body };
  }
  const { model: _, ...rest } = body;
  const { 'anthropic-version': __, ...others } = headers;
  const operation = call.request.stream === true ? 'streamRawPredict' : 'rawPredict';
  return {
    method: 'POST',
    path: `${vertexModels(call, project)}/${modelId(call.upstreamModel)}:${operation}`,
    headers: others,
    body: { anthropic_version: VERTEX_VERSION, ...rest },
  };
}

/** The same for counting tokens. Vertex AI has a separate model for this, and the counted model in the body. */
export function toCountEndpoint(call: ProviderCall, { fields, headers }: NativeBody): ProviderRequest {
  const { project } = call.settings;
  const model = call.upstreamModel;
  const request = toEndpoint(call, { ...fields, model }, headers);
  if (project === undefined) return { ...request, path: '/v1/messages/count_tokens' };
  return {
    ...request,
    path: `${vertexModels(call, project)}/count-tokens:rawPredict`,
    body: { ...request.body, model },
  };
}

function vertexModels({ settings: { location = 'global' } }: ProviderCall, project: string): string {
  const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
  return `/v1/${place}/publishers/anthropic/models`;
}

/** `claude-sonnet-4-5@20250929`, the form of Anthropic's SDK. */
function modelId(model: string): string {
  return encodeURIComponent(model).replaceAll('%40', '@');
}
