import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { queryClient } from '../../api/query-client';
import type { components } from '../../api/schema';

export type Upstreams = components['schemas']['UpstreamsView'];
export type Upstream = components['schemas']['UpstreamView'];
export type CatalogModel = components['schemas']['CatalogModelView'];
export type UpstreamTest = components['schemas']['UpstreamTestView'];
export type UpstreamCall = components['schemas']['UpstreamCallView'];

export const upstreamsQuery = queryOptions({
  queryKey: ['upstreams'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/upstreams', { signal })),
});

export async function testUpstream(name: string): Promise<UpstreamTest> {
  const result = await unwrap(api.POST('/api/upstreams/{name}/test', { params: { path: { name } } }));
  void queryClient.invalidateQueries({ queryKey: ['audit'] });
  return result;
}
