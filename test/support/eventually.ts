import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Resolves with the first result that is not false, null or undefined; throws after the limit. Where how soon is part of
 * what is promised the test gives the limit; else it only ends a wait that is in vain, on a busy machine, too.
 */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  limitMs = 20_000,
): Promise<Exclude<Awaited<Result>, false | null | undefined>> {
  const limit = performance.now() + limitMs;
  for (;;) {
    const result = await attempt();
    if (result !== false && result !== null && result !== undefined) {
      return result as Exclude<Awaited<Result>, false | null | undefined>;
    }
    if (performance.now() > limit) throw new Error(`not so within ${limitMs} ms: ${attempt}`);
    await sleep(20);
  }
}
