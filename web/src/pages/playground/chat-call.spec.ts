import { describe, expect, it } from '@jest/globals';
import { withPieces } from './chat-call';

describe('the tool calls of a stream', () => {
  it('are assembled from their pieces by index', () => {
    const begun = withPieces([], [{ index: 0, id: 'c0', type: 'function', function: { name: 'look', arguments: '' } }]);
    const both = withPieces(begun, [
      { index: 0, function: { arguments: '{"a"' } },
      { index: 1, id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } },
    ]);
    expect(withPieces(both, [{ index: 0, function: { arguments: ':1}' } }])).toEqual([
      { id: 'c0', name: 'look', arguments: '{"a":1}' },
      { id: 'c1', name: 'find', arguments: '{}' },
    ]);
    expect(withPieces(both, undefined)).toEqual(both);
  });
});
