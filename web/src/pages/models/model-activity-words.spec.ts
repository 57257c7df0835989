import { describe, expect, it } from '@jest/globals';
import { failuresText, speedBasis, speedText, successText } from './model-activity-words';

describe('the figures of a model', () => {
  it('have the share of successful requests, without refused ones', () => {
    expect(successText({ succeeded: 197, errors: 3 })).toBe('98.5%');
    expect(successText({ succeeded: 0, errors: 0 })).toBe('–');
    expect(successText(undefined)).toBe('–');
    expect(failuresText({ errors: 3, refused: 1200 })).toBe('3 failed, 1,200 refused');
    expect(failuresText({ errors: 0, refused: 0 })).toBeNull();
  });

  it('have the speed, and what it is computed from', () => {
    expect(speedText({ tokensPerSecond: 84.26 })).toBe('84.3');
    expect(speedText({ tokensPerSecond: 120.4 })).toBe('120');
    expect(speedText({ tokensPerSecond: null })).toBe('–');
    expect(speedBasis({ streamed: 1 })).toBe('Measured over one streamed request.');
    expect(speedBasis(undefined)).toMatch(/^None of the newest requests was streamed/);
  });
});
