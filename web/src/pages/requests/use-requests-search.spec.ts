import { describe, expect, it } from '@jest/globals';
import { toQuery, toSavedSearch, toSearch } from './use-requests-search';

const NOW = new Date('2026-11-24T10:00:00Z');

describe('the address of the page of requests', () => {
  it('has filters of one and of many values, without those that are not allowed', () => {
    const values = { models: 'a,b', users: 'u', stream: 'true', minMs: '5000', range: 'never' };
    expect(toSearch(values, true, 'all')).toMatchObject({
      range: { preset: '7d' },
      filters: { models: ['a', 'b'], users: ['u'], stream: ['true'], minMs: ['5000'], keys: [] },
    });
    expect(toSearch(values, false, 'mine').filters.users).toEqual([]);
  });

  it('requests a current range without an end, and a selected span exactly', () => {
    expect(toQuery(toSearch({ zone: 'utc', range: 'today' }, false, 'mine'), NOW)).toEqual({
      from: '2026-11-24T00:00:00.000Z',
      to: '2026-11-25T10:00:00.000Z',
      scope: 'mine',
    });
    const span = { since: '2026-11-24T08:00:00Z', until: '2026-11-24T09:00:00Z', minMs: '5000' };
    expect(toQuery(toSearch(span, false, 'mine'), NOW)).toEqual({
      from: '2026-11-24T08:00:00.000Z',
      to: '2026-11-24T09:00:00.000Z',
      scope: 'mine',
      minMs: 5000,
    });
    expect(toSearch({ since: 'then', until: 'now' }, false, 'mine').span).toBeNull();
  });
});

describe('a saved view', () => {
  it('keeps range and filters, but no single request, no moment and no key', () => {
    const search = {
      range: '30d',
      statuses: 'failed',
      call: 'req_1',
      since: 'a',
      until: 'b',
      q: `svc_${'k'.repeat(40)}`,
    };
    expect(toSavedSearch(search)).toEqual({ range: '30d', statuses: 'failed' });
  });
});
