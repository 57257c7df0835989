import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { WorkerPlace } from './workers.js';

const ORDER = { port: 1, database: null };

describe("a worker's place", () => {
  let folder: string;
  let place: WorkerPlace;
  let serving: (number | undefined)[];
  let ends: { reason: string; at: number }[];
  let written: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-place-'));
  });
  afterEach(() => place.stop(1000));
  afterAll(() => rm(folder, { recursive: true }));

  const open = async (program: string) => {
    const file = join(folder, 'program.mjs');
    await writeFile(file, program);
    serving = [];
    ends = [];
    written = [];
    place = new WorkerPlace({
      number: 2,
      program: pathToFileURL(file),
      output: {
        write: (text) => void written.push(text),
      },
      answers: {},
      onServing: (pid) => serving.push(pid),
      onEnd: (_pid, reason) => ends.push({ reason, at: performance.now() }),
    });
  };

  it('passes the order to each of its processes', async () => {
    await open(
      "process.on('message', ({ ask, argument }) => { console.log(JSON.stringify(argument)); process.send('other'); process.send({ reply: ask }); })",
    );
    await place.begin(ORDER);
    expect(serving).toHaveLength(1);
    process.kill(serving[0] ?? 0, 'SIGKILL');
    await eventually(() => serving.length === 2);
    expect(serving[1]).not.toBe(serving[0]);
    expect(ends).toMatchObject([{ reason: 'SIGKILL' }]);
    await eventually(() => written.length === 2);
    expect(written).toEqual(Array(2).fill(`${JSON.stringify({ ...ORDER, number: 2 })}\n`));
  });

  it('does not wait for a process that ended, and retries with increasing pauses', async () => {
    await open('process.exitCode = 3');
    await place.begin(ORDER);
    await eventually(() => ends.length === 3);
    expect(new Set(ends.map(({ reason }) => reason))).toEqual(new Set(['3']));
    expect((ends[2]?.at ?? 0) - (ends[1]?.at ?? 0)).toBeGreaterThanOrEqual(500);
  });

  it('forwards complete lines only', async () => {
    await open(
      "process.stdout.write('one\\ntw', () => setTimeout(() => process.stdout.write('o\\n'), 50)); process.on('message', () => 0)",
    );
    await eventually(() => written.join('').length === 8);
    expect(written).toEqual(['one\n', 'two\n']);
  });

  it('kills a process that does not end on request', async () => {
    await open("process.on('SIGTERM', () => 0); process.on('message', ({ ask }) => process.send({ reply: ask }))");
    await place.begin(ORDER);
    await place.stop(50);
    expect(ends).toEqual([]);
    expect(() => process.kill(serving[0] ?? 0, 0)).toThrow('ESRCH');
  });
});
