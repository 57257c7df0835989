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

/** Whether a model has a thinking budget in tokens; all later models have a level. */
export function hasThinkingBudget(model: string): boolean {
  return /gemini-2\.5/.test(model);
}

/**
 * Gemini 3 and later refuse an earlier function call without its signature, and accept media in tool results
 * (ai.google.dev, "Multimodal function responses").
 */
export function isGemini3OrLater(model: string): boolean {
  return /(?:^|\/)gemini-(?![12][.-])/.test(model);
}

/** The efforts of a model that declares none: thinking cannot be disabled for Pro models, nor for any with levels. */
export function usualEfforts(model: string): readonly string[] {
  const isPro = /gemini-(?:2\.5|[3-9][\d.]*)-pro|gemini-pro-latest/.test(model);
  if (hasThinkingBudget(model)) return isPro ? ['minimal', ...EFFORTS] : ['none', 'minimal', ...EFFORTS];
  return isPro ? EFFORTS : ['minimal', ...EFFORTS];
}

const EFFORTS = ['low', 'medium', 'high'];

/**
 * "Requests ending with a model turn are not supported", say 3.5 Flash-Lite, 3.6 and all later ones (ai.google.dev,
 * "Latest model"); a declared trait decides before the name.
 */
export function acceptsPrefill({ traits, upstreamModel }: ProviderCall): boolean {
  return traits.prefill ?? /gemini-(?:[12]\.|3(?:\.[0-4])?-|3\.5-flash(?!-lite))/.test(upstreamModel);
}
