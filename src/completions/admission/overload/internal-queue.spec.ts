import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/eventually.js';
import { LoopDelay, QueueLimit } from './internal-queue.js';

const LOOK_MS = 50;

/** A limit that is measured every 50 ms. */
class Watched {
  readonly limit = new QueueLimit();
  private now = 1000;

  for(
    ms: number,
    { waiting, perSecond = 1000, unqueuedMs = 5 }: { waiting: number; perSecond?: number; unqueuedMs?: number },
  ) {
    for (const end = this.now + ms; this.now < end; ) {
      this.now += LOOK_MS;
      this.limit.look({ now: this.now, waiting, passed: (perSecond * LOOK_MS) / 1000, unqueuedMs });
      if (waiting > this.limit.most) this.limit.shed();
    }
    return this;
  }
}

describe('the limit of calls that wait within the gateway', () => {
  it('does not start while calls wait less than 36 ms', () => {
    expect(new Watched().for(5000, { waiting: 350, perSecond: 10_000 }).limit.most).toBe(Infinity);
    expect(new Watched().for(5000, { waiting: 370, perSecond: 10_000 }).limit.most).toBe(120);
  });

  it('does not start while 120 calls or fewer wait, however slowly they pass', () => {
    expect(new Watched().for(5000, { waiting: 120, perSecond: 100 }).limit.most).toBe(Infinity);
    expect(new Watched().for(5000, { waiting: 121, perSecond: 100 }).limit.most).toBe(40);
  });

  it('does not start for a burst that passes within 100 ms', () => {
    const watched = new Watched().for(5000, { waiting: 10 });
    expect(watched.for(100, { waiting: 600 }).for(500, { waiting: 10 }).limit.most).toBe(Infinity);
    expect(watched.for(150, { waiting: 600 }).limit.most).toBe(40);
  });

  it('does not start while the database stalls for less than a second', () => {
    const watched = new Watched().for(5000, { waiting: 10 }).for(950, { waiting: 900, perSecond: 0 });
    expect(watched.limit.most).toBe(Infinity);
    expect(watched.for(300, { waiting: 900, perSecond: 0 }).limit.most).toBe(40);
  });

  it('allows as many calls as pass in 12 ms, and at least 40', () => {
    const busy = new Watched().for(5000, { waiting: 50, perSecond: 10_000 });
    expect(busy.for(500, { waiting: 5000, perSecond: 10_000 }).limit.most).toBe(120);
    expect(new Watched().for(1500, { waiting: 5000, perSecond: 0 }).limit.most).toBe(40);
  });

  it('ends half a second after more calls came than pass', () => {
    const watched = new Watched().for(10_000, { waiting: 2000 }).for(1000, { waiting: 50 });
    expect(watched.limit.most).toBe(40);
    expect(watched.for(450, { waiting: 30 }).limit.most).toBe(40);
    expect(watched.for(100, { waiting: 30 }).limit.most).toBe(Infinity);
  });

  it('ends although it refuses calls, if fewer come than pass at the best rate', () => {
    const watched = new Watched().for(2000, { waiting: 2000, perSecond: 6000 });
    expect(watched.for(600, { waiting: 200, perSecond: 3000 }).limit.most).toBe(Infinity);
  });

  it('stays while too many calls wait, however few come', () => {
    const watched = new Watched().for(2000, { waiting: 2000, perSecond: 6000 });
    for (let look = 0; look < 60; look++) {
      expect(watched.for(LOOK_MS, { waiting: 2000, perSecond: 600 }).limit.most).toBe(72);
    }
  });

  it('uses the best rate of the last five to ten seconds', () => {
    const watched = new Watched().for(2000, { waiting: 2000, perSecond: 6000 });
    expect(watched.for(4000, { waiting: 2000, perSecond: 600 }).limit.most).toBe(72);
    expect(watched.for(10_000, { waiting: 2000, perSecond: 600 }).limit.most).toBe(40);
  });

  it('allows longer waits where a call waits long without a queue, as with a slow disk', () => {
    expect(new Watched().for(5000, { waiting: 1150, unqueuedMs: 200 }).limit.most).toBe(Infinity);
    expect(new Watched().for(5000, { waiting: 1250, unqueuedMs: 200 }).limit.most).toBe(400);
  });
});

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
