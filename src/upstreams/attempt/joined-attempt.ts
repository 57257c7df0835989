import { from, map, mergeMap, type Observable, toArray } from 'rxjs';
import type { Answer, ChatCompletion } from '../contract/chat.types.js';
import type { UsageWatch } from '../contract/provider.adapter.js';

/** The maximum number of concurrent requests of one attempt. */
const AT_THE_SAME_TIME = 4;

interface Part {
  readonly progress: UsageWatch & { sentMs: number | null };
  readonly answer: Observable<Answer>;
}

/** An attempt with several requests, whose answers are joined in their order. Fails if any request fails. */
export function joinedAttempt<Attempt extends Part>(
  parts: readonly Attempt[],
  join: (answers: readonly ChatCompletion[]) => ChatCompletion,
): Omit<Attempt, keyof Part> & Part {
  const [first] = parts;
  if (first === undefined) throw new Error('no requests to join');
  const progress = {
    get sentMs() {
      return first.progress.sentMs;
    },
    usageSoFar: null,
  };
  return { ...first, progress, answer: joinedAnswer(parts, join) };
}

function joinedAnswer(
  parts: readonly Part[],
  join: (answers: readonly ChatCompletion[]) => ChatCompletion,
): Observable<Answer> {
  return from(parts).pipe(
    mergeMap(({ answer }, index) => answer.pipe(map((one) => ({ index, one }))), AT_THE_SAME_TIME),
    toArray(),
    map((all) => join(all.sort((a, b) => a.index - b.index).map(({ one }) => one as ChatCompletion))),
  );
}
