import { describe, expect, it } from '@jest/globals';
import { base64Data, imageFormat } from './data-url.js';

describe('base64Data', () => {
  it.each([
    ['data:image/png;base64,AAAA', { mediaType: 'image/png', data: 'AAAA' }],
    ['DATA:Image/PNG;charset=utf-8;Base64,AA==', { mediaType: 'image/png', data: 'AA==' }],
    ['data:application/pdf;base64,', { mediaType: 'application/pdf', data: '' }],
    ['data:image/png,AAAA', undefined],
    ['data:;base64,AAAA', undefined],
    ['https://example.com/data:image/png;base64,AAAA', undefined],
    ['AAAA', undefined],
  ])('splits %s', (url, parts) => {
    expect(base64Data(url)).toEqual(parts);
  });
});

it("names the formats of images as Claude's and Bedrock's APIs do", () => {
  const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/tiff'];
  expect(types.map(imageFormat)).toEqual(['png', 'jpeg', 'gif', 'webp', undefined]);
});
