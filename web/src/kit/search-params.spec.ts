import { describe, expect, it } from '@jest/globals';
import { parseSearch, stringifySearch } from './search-params';

describe('the query string of a page', () => {
  it('keeps values as the text that they are', () => {
    const values = { q: 'a & b', page: '1', flag: 'true' };
    expect(parseSearch(stringifySearch(values))).toEqual(values);
  });

  it('holds nothing that is empty', () => {
    expect(stringifySearch({ q: '', status: undefined })).toBe('');
  });

  it('never holds what looks like a key', () => {
    expect(stringifySearch({ q: 'svc_0123456789', note: 'it is SVC_0123', sort: 'name' })).toBe('?sort=name');
  });
});
