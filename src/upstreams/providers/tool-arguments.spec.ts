import { describe, expect, it } from '@jest/globals';
import { ToolArguments } from './tool-arguments.js';

describe('the arguments of a tool call', () => {
  it.each([
    ['{"a":[1]}', { a: [1] }],
    ['', {}],
    [' \n', {}],
    ['null', undefined],
    ['[1]', undefined],
    ['{"a":', undefined],
  ])('reads %j as an object or not at all', (text, value) => {
    expect(new ToolArguments().parse(text)).toEqual(value);
  });
});
