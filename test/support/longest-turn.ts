import type { InspectedProcess } from './inspected-process.js';

/** Measures turns of the event loop in CPU time, which excludes other processes. */
const BEGIN = `globalThis.__turns = { longest: 0, goesOn: true };
(() => {
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    __turns.longest = Math.max(__turns.longest, (user + system) / 1000);
    before = process.threadCpuUsage();
    if (__turns.goesOn) setImmediate(look);
  };
  setImmediate(look);
})()`;

const END = '__turns.goesOn = false, __turns.longest';

/** The time of the reference machine for which the bounds were chosen. */
const REFERENCE_MS = 20;
const REFERENCE = `(() => {
  const text = JSON.stringify(Array.from({ length: 100000 }, (_, i) => ({ role: 'user', content: 'text ' + i })));
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    JSON.parse(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
})()`;

/** How many times slower this machine is than the reference, at least 1. */
export async function slowness(process: InspectedProcess): Promise<number> {
  return Math.max(1, Number(await process.evaluate(REFERENCE)) / REFERENCE_MS);
}

/** The same of this process. */
export function slownessHere(): number {
  return Math.max(1, Number(new Function(`return ${REFERENCE}`)()) / REFERENCE_MS);
}

/**
 * The longest turn of a process's event loop during some work, in ms of CPU; the best of several runs, or the first
 * that is short enough.
 */
export async function longestTurn(
  process: InspectedProcess,
  { times, enough }: { times: number; enough: number },
  work: () => Promise<void>,
): Promise<number> {
  let best = Infinity;
  for (let time = 0; time < times && best >= enough; time++) {
    await process.evaluate(BEGIN);
    await work();
    best = Math.min(best, Number(await process.evaluate(END)));
  }
  return best;
}

/** The same for work in this process. */
export async function longestTurnHere(
  { times, enough }: { times: number; enough: number },
  work: () => Promise<unknown>,
): Promise<number> {
  let best = Infinity;
  for (let time = 0; time < times && best >= enough; time++) {
    let longest = 0;
    let goesOn = true;
    let before = process.threadCpuUsage();
    const look = (): void => {
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1000);
      before = process.threadCpuUsage();
      if (goesOn) setImmediate(look);
    };
    setImmediate(look);
    await work();
    await new Promise((resolve) => setImmediate(resolve));
    goesOn = false;
    best = Math.min(best, longest);
  }
  return best;
}
