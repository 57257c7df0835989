import { describe, expect, it } from '@jest/globals';
import { formatBytes, MAX_IMAGE_BYTES, readImages } from './images';

describe('the size of a file', () => {
  it.each([
    [1, '1 kB'],
    [200 * 1024, '200 kB'],
    [1.44 * 1024 ** 2, '1.4 MB'],
  ])('the size of a file of %d bytes is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});

describe('images to send', () => {
  it('are refused by name if no model takes them', async () => {
    const text = new File(['x'], 'notes.txt', { type: 'text/plain' });
    const large = new File([new Uint8Array(MAX_IMAGE_BYTES + 1)], 'large.png', { type: 'image/png' });
    expect(await readImages([text, large])).toEqual({
      images: [],
      faults: ['notes.txt is not a PNG, JPEG, WebP or GIF image.', 'large.png is 10.0 MB; the maximum is 10.0 MB.'],
    });
  });
});
