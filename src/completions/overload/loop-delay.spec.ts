import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { LoopDelay } from './loop-delay.js';

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('the delay of the event loop', () => {
  let delay: LoopDelay;
  beforeEach(() => {
    delay = new LoopDelay();
    delay.onApplicationBootstrap();
  });
  afterEach(() => {
    delay.onApplicationShutdown();
  });

  const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 1));

  it('is seen when turn after turn takes too long, also in the midst of one', async () => {
    await eventually(() => delay.now < 100);
    block(400);
    await nextTurn();
    block(400);
    expect(delay.now).toBeGreaterThan(250);
    await nextTurn();
    expect(delay.now).toBeGreaterThan(250);
  });

  it('is over as soon as the loop turns again', async () => {
    block(400);
    await nextTurn();
    block(400);
    await eventually(() => delay.now < 100);
  });
});
