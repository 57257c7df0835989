import { describe, expect, it } from '@jest/globals';
import { errorRateOf } from './error-rate';

describe('the error rate', () => {
  it('is of requests that failed or succeeded, and none without one', () => {
    expect(errorRateOf({ succeeded: 15, errors: 5 })).toBe(0.25);
    expect(errorRateOf({ succeeded: 0, errors: 0 })).toBeNull();
  });
});
