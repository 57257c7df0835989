import { describe, expect, it } from '@jest/globals';
import { boundedCopy } from './content-recorder.service.js';

const IMAGE = 'iVBORw0KGgo'.repeat(1000);

describe('a bounded copy', () => {
  it('is equal if it fits', () => {
    const request = {
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      temperature: 0.5,
      stop: null,
      stream: true,
    };
    expect(boundedCopy(request, 1000)).toEqual({ copy: request, isCut: false });
  });

  it.each([
    [`data:image/png;base64,${IMAGE}`, 'data:image/png;base64,[11000 characters]'],
    [IMAGE, '[11000 characters]'],
  ])('has the size of media instead of their bytes', (url, note) => {
    expect(boundedCopy({ image_url: { url } }, 1000)).toEqual({ copy: { image_url: { url: note } }, isCut: false });
  });

  it('cuts a long text, and says how much is missing', () => {
    const { copy, isCut } = boundedCopy(['two words '.repeat(1000)], 116);
    expect([copy, isCut]).toEqual([[`${'two words '.repeat(10)}… [9900 more characters]`], true]);
  });

  it('never splits a character', () => {
    const { copy } = boundedCopy('a 😀'.repeat(50), 11);
    expect((copy as string).isWellFormed()).toBe(true);
  });

  it('leaves out everything after the limit', () => {
    const { copy, isCut } = boundedCopy(
      Array.from({ length: 100_000 }, (_, i) => ({ i })),
      1000,
    );
    expect(isCut).toBe(true);
    expect((copy as unknown[]).length).toBeLessThan(100);
  });

  it('keeps numbers that a double cannot hold', () => {
    const { copy } = boundedCopy({ seed: JSON.rawJSON('12345678901234567890') }, 100);
    expect(JSON.stringify(copy)).toBe('{"seed":12345678901234567890}');
  });
});
