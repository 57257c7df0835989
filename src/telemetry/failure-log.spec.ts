import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { logFailure } from './failure-log.js';

const refused = () => Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });

describe('the log of failures', () => {
  let now: number;
  let lines: unknown[][];

  beforeEach(() => {
    // After all failures of other files in this worker; a whole number, as sums of fractions may be slightly too small.
    now = Math.ceil(performance.now()) + 1000;
    lines = [];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    for (const level of ['warn', 'error'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((...line: unknown[]) => void lines.push([level, ...line]));
    }
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('logs a cause once a second, with the number of failures in between', () => {
    const logger = new Logger('One');
    for (let i = 0; i < 100; i++) logFailure(logger, 'A row cannot be written', new Error('disk full'));
    now += 1000;
    logFailure(logger, 'A row cannot be written', new Error('disk full'), { call: 'c' });
    logFailure(logger, 'A row cannot be written', new Error('no such table'));
    expect(lines).toEqual([
      ['error', 'A row cannot be written: disk full', { stack: expect.any(String) }],
      ['error', 'A row cannot be written: disk full', { call: 'c', suppressed: 99, stack: expect.any(String) }],
      ['error', 'A row cannot be written: no such table', { stack: expect.any(String) }],
    ]);
  });

  it('treats an unavailable database as one cause, and logs no stack for it', () => {
    // The first line includes failures in other files of this worker.
    logFailure(new Logger('One'), 'A row cannot be written', refused());
    lines = [];
    now += 1000;
    logFailure(new Logger('One'), 'A row cannot be written', refused());
    logFailure(new Logger('Two'), 'A key cannot be checked', new Error('Connection terminated unexpectedly'));
    expect(lines).toEqual([['warn', 'A row cannot be written: the database is unavailable (ECONNREFUSED).', {}]]);
  });
});
