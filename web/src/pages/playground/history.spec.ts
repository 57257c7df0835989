import { describe, expect, it } from '@jest/globals';
import { withoutKeys } from './history';

describe('the stored part of a conversation', () => {
  it('contains no API key, at any depth', () => {
    expect(withoutKeys({ turns: [{ text: 'with svc_Ab12, please' }] })).toEqual({
      turns: [{ text: 'with svc_…, please' }],
    });
  });
});
