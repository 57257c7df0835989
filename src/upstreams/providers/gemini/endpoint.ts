import type { JsonObject } from '../../contract/json.js';
import type { NativeTarget, ProviderCall } from '../../contract/provider.adapter.js';
import { flexOrPriority } from '../shared/request-fields.js';

/**
 * The path on the Gemini API, or on Vertex AI if the upstream has a project. A model is a plain name or a resource
 * (`tunedModels/…`, `endpoints/…`); `apiVersion` replaces the version in the path.
 */
export function endpointPath(call: ProviderCall): string {
  return methodPath(call, call.request.stream === true ? 'streamGenerateContent?alt=sse' : 'generateContent');
}

export function methodPath({ upstreamModel, settings }: NativeTarget, method: string): string {
  const { project, location = 'global', apiVersion } = settings;
  if (project === undefined) return `/${apiVersion ?? 'v1beta'}/${resource(upstreamModel, 'models/')}:${method}`;
  const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
  return `/${apiVersion ?? 'v1'}/${place}/${resource(upstreamModel, 'publishers/google/models/')}:${method}`;
}

export function resource(model: string, collection: string): string {
  const name = model.includes('/') ? model : `${collection}${model}`;
  return name.split('/').map(encodeURIComponent).join('/');
}

/** Vertex AI does not accept call ids: it matches results by name and order. */
export function callId(id: string, { settings }: ProviderCall): { id?: string } {
  return settings.project === undefined ? { id } : {};
}

/** `serviceTier` at the top level, as Google's SDK sends it to the Gemini API. */
export function tierField(call: ProviderCall): JsonObject {
  const tier = isVertex(call) ? undefined : flexOrPriority(call.request);
  return tier ? { serviceTier: tier } : {};
}

/** Vertex AI has a header instead (docs.cloud.google.com, "Flex PayGo" and "Priority PayGo"). */
export function tierHeaders(call: ProviderCall): Record<string, string> {
  const tier = isVertex(call) ? flexOrPriority(call.request) : undefined;
  return tier ? { 'x-vertex-ai-llm-shared-request-type': tier } : {};
}

export function isVertex({ settings }: Pick<NativeTarget, 'settings'>): boolean {
  return settings.project !== undefined;
}
