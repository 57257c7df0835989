import { describe, expect, it } from '@jest/globals';
import { groupingsFor, toSearch } from './use-usage-search';

describe('the address of the usage page', () => {
  it('has a default for everything', () => {
    expect(toSearch({}, false, 'mine')).toEqual({
      range: { preset: '7d', zone: 'local', fromDay: null, toDay: null },
      granularity: 'auto',
      groupBy: 'model',
      metric: 'cost',
      compare: true,
      scope: 'mine',
      simulated: 'all',
      filters: { models: [], keys: [], users: [], projects: [], statuses: [], apis: [], upstreams: [] },
      table: 'groups',
    });
  });

  it('ignores invalid values', () => {
    const search = toSearch({ by: 'planet', metric: 'joy', step: 'century', models: ',a,,b' }, true, 'all');
    expect(search).toMatchObject({ groupBy: 'model', metric: 'cost', granularity: 'auto' });
    expect(search.filters.models).toEqual(['a', 'b']);
  });

  it('has other people’s data only for admins', () => {
    const values = { by: 'user', users: 'u1' };
    expect(toSearch(values, true, 'all')).toMatchObject({ groupBy: 'user', filters: { users: ['u1'] } });
    expect(toSearch(values, false, 'mine')).toMatchObject({ groupBy: 'model', filters: { users: [] } });
    expect(groupingsFor(false, 'mine')).toEqual(['model', 'key', 'status', 'api']);
    expect(groupingsFor(false, 'projects')).toEqual(['model', 'key', 'user', 'project', 'status', 'api']);
  });
});
