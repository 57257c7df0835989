import { describe, expect, it } from '@jest/globals';
import { ReplicaLag } from './report-reader.service.js';

describe('the lag of a replica', () => {
  it('is unknown before the first sample', () => {
    expect(new ReplicaLag().at(1000)).toBeNull();
  });

  it('is the age of the newest position that the replica has reached', () => {
    const lag = new ReplicaLag();
    lag.sample(1000, '0/10', '0/10');
    lag.sample(2000, '0/20', '0/18');
    lag.sample(3000, '0/30', '0/20');
    expect(lag.at(3500)).toBe(1500);
    lag.sample(4000, '1/0', 'F/FFFFFFFF');
    expect(lag.at(4000)).toBe(0);
  });

  it('stays small while the primary writes nothing', () => {
    const lag = new ReplicaLag();
    for (let at = 0; at <= 60_000; at += 1000) lag.sample(at, 'A/9', 'A/9');
    expect(lag.at(60_500)).toBe(500);
  });

  it('is not underestimated after hours in which the replica was frozen', () => {
    const lag = new ReplicaLag();
    for (let second = 0; second <= 10_000; second++) lag.sample(1000 * second, `0/${second.toString(16)}`, '0/0');
    expect(lag.at(10_000_000)).toBe(10_000_000);
    lag.sample(10_001_000, '0/9999', '0/2000');
    const seconds = (lag.at(10_001_000) ?? 0) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(10_001 - 0x2000);
    expect(seconds).toBeLessThanOrEqual(10_001);
  });
});
