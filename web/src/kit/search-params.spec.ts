import { describe, expect, it } from '@jest/globals';
import { parseSearch, stringifySearch } from './search-params';

describe('the query string of a page', () => {
  it('keeps values as text', () => {
    const values = { q: 'a & b', page: '1', flag: 'true' };
    expect(parseSearch(stringifySearch(values))).toEqual(values);
  });

  it('contains no empty values', () => {
    expect(stringifySearch({ q: '', status: undefined })).toBe('');
  });

  it('never contains text that looks like an API key', () => {
    expect(stringifySearch({ q: 'svc_0123456789', note: 'it is SVC_0123', sort: 'name' })).toBe('?sort=name');
  });
});
