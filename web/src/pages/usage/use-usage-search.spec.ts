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
      filters: { models: [], keys: [], users: [], statuses: [] },
      tab: 'report',
      table: 'groups',
    });
  });

  it('counts as not saying what is wrong in it', () => {
    const search = toSearch({ by: 'planet', metric: 'joy', step: 'century', models: ',a,,b' }, true, 'all');
    expect(search).toMatchObject({ groupBy: 'model', metric: 'cost', granularity: 'auto' });
    expect(search.filters.models).toEqual(['a', 'b']);
  });

  it('says of other people to admins only', () => {
    const values = { by: 'user', users: 'u1' };
    expect(toSearch(values, true, 'all')).toMatchObject({ groupBy: 'user', filters: { users: ['u1'] } });
    expect(toSearch(values, false, 'mine')).toMatchObject({ groupBy: 'model', filters: { users: [] } });
    expect(groupingsFor(false)).toEqual(['model', 'key', 'status']);
  });
});
