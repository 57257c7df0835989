import { describe, expect, it } from '@jest/globals';
import { QueueLimit } from './queue-limit.js';

const LOOK_MS = 25;

/** A limit that is looked at every 25 ms, with so many calls waiting and passing per second. */
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
      if (waiting > this.limit.most) this.limit.shed(this.now);
    }
    return this;
  }
}

describe('QueueLimit', () => {
  it('is none while calls wait no longer than they may', () => {
    expect(new Watched().for(5000, { waiting: 90 }).limit.most).toBe(Infinity);
    expect(new Watched().for(5000, { waiting: 450, perSecond: 10_000 }).limit.most).toBe(Infinity);
  });

  it('is none for so few that any machine works them off', () => {
    expect(new Watched().for(5000, { waiting: 128, perSecond: 100 }).limit.most).toBe(Infinity);
  });

  it('is none for a burst that is soon over', () => {
    const watched = new Watched().for(5000, { waiting: 10 });
    expect(watched.for(50, { waiting: 600 }).for(500, { waiting: 10 }).limit.most).toBe(Infinity);
  });

  it('is none while nothing passes for less than a second, as when the database stands still', () => {
    const watched = new Watched().for(5000, { waiting: 10 }).for(900, { waiting: 900, perSecond: 0 });
    expect(watched.limit.most).toBe(Infinity);
    expect(watched.for(300, { waiting: 900, perSecond: 0 }).limit.most).toBe(64);
  });

  it('is well below what has waited too long, and never below what any machine works off', () => {
    const many = new Watched()
      .for(5000, { waiting: 50, perSecond: 10_000 })
      .for(500, { waiting: 5000, perSecond: 10_000 });
    expect(many.limit.most).toBeGreaterThan(150);
    expect(many.limit.most).toBeLessThan(200);
    expect(new Watched().for(1500, { waiting: 5000, perSecond: 0 }).limit.most).toBe(64);
  });

  it('stays while calls are turned away, and is none a second after the last of them', () => {
    const watched = new Watched().for(1000, { waiting: 2000 });
    expect(watched.for(10_000, { waiting: 2000 }).limit.most).toBeLessThan(2000);
    expect(watched.for(900, { waiting: 50 }).limit.most).toBeLessThan(2000);
    expect(watched.for(200, { waiting: 50 }).limit.most).toBe(Infinity);
  });

  it('is not made shorter by a pace that has fallen for a moment', () => {
    const watched = new Watched().for(2000, { waiting: 2000, perSecond: 6000 });
    const { most } = watched.limit;
    expect(watched.for(1000, { waiting: most, perSecond: 600 }).limit.most).toBeGreaterThan(0.75 * most);
    expect(watched.for(20_000, { waiting: 2000, perSecond: 600 }).limit.most).toBe(64);
  });

  it('lets calls wait longer where they take long without a queue, as with a slow disk', () => {
    expect(new Watched().for(5000, { waiting: 300, unqueuedMs: 200 }).limit.most).toBe(Infinity);
    expect(new Watched().for(5000, { waiting: 300, unqueuedMs: 5 }).limit.most).toBeLessThan(300);
  });
});
