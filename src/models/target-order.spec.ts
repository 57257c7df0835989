import { expect, it } from '@jest/globals';
import { inOrder } from './target-order.js';

const target = (upstream: string, priority: number, input: number, output: number) => ({
  upstream,
  model: 'm',
  priority,
  weight: 1,
  reasonsWithoutTools: null,
  cost: { inputUsdPerMTok: input, outputUsdPerMTok: output },
});
const targets = [target('a', 1, 2, 1), target('b', 2, 1, 3), target('c', 1, 1, 3), target('d', 1, 1, 3)];
const shown = (strategy: 'priority' | 'fastest' | 'cheapest') =>
  inOrder({ strategy, targets }).map(({ upstream, priority }) => `${upstream} ${priority}`);

it('cheapest: orders targets by cost, then by priority', () => {
  expect(shown('cheapest')).toEqual(['c 1', 'd 1', 'b 2', 'a 3']);
});

it("other strategies: order targets by the file's priorities", () => {
  expect(shown('priority')).toEqual(['a 1', 'c 1', 'd 1', 'b 2']);
});
