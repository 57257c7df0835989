import { describe, expect, it } from '@jest/globals';
import { withoutKeys } from './history';

describe('what is kept of a conversation', () => {
  it('has no key in it, however deep', () => {
    expect(withoutKeys({ turns: [{ text: 'with svc_Ab12, please' }] })).toEqual({
      turns: [{ text: 'with svc_…, please' }],
    });
  });
});
