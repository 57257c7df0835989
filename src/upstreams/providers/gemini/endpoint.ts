import type { ProviderCall } from '../../contract/provider.adapter.js';

/**
 * Where a call goes: to the Gemini API, or to Vertex AI where the upstream has a project. A model is named alone, or as
 * a resource of its own (`tunedModels/…`, `endpoints/…`); `apiVersion` replaces the version in the path.
 */
export function endpointPath({ upstreamModel, settings, request }: ProviderCall): string {
  const method = request.stream === true ? 'streamGenerateContent?alt=sse' : 'generateContent';
  const { project, location = 'global', apiVersion } = settings;
  if (project === undefined) return `/${apiVersion ?? 'v1beta'}/${resource(upstreamModel, 'models/')}:${method}`;
  const place = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
  return `/${apiVersion ?? 'v1'}/${place}/${resource(upstreamModel, 'publishers/google/models/')}:${method}`;
}

function resource(model: string, collection: string): string {
  const name = model.includes('/') ? model : `${collection}${model}`;
  return name.split('/').map(encodeURIComponent).join('/');
}
