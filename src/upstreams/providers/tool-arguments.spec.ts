import { describe, expect, it } from '@jest/globals';
import { toolArguments } from './tool-arguments.js';

describe('toolArguments', () => {
  it.each([
    ['{"a":[1]}', { a: [1] }],
    ['', {}],
    [' \n', {}],
    ['null', undefined],
    ['[1]', undefined],
    ['{"a":', undefined],
  ])('reads %j as an object or not at all', (text, value) => {
    expect(toolArguments(text)).toEqual(value);
  });
});
