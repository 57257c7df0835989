import { from, map, mergeMap, type Observable, toArray } from 'rxjs';
import type { Answer, ChatCompletion } from '../contract/chat.types.js';
import type { Attempt } from './attempt.service.js';

/** Requests of one attempt that are sent at the same time. */
const AT_THE_SAME_TIME = 4;

/** An attempt of several requests, whose answers are joined in their order. Fails with the first that fails. */
export function joinedAttempt(
  parts: readonly Attempt[],
  join: (answers: readonly ChatCompletion[]) => ChatCompletion,
): Attempt {
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
  parts: readonly Attempt[],
  join: (answers: readonly ChatCompletion[]) => ChatCompletion,
): Observable<Answer> {
  return from(parts).pipe(
    mergeMap(({ answer }, index) => answer.pipe(map((one) => ({ index, one }))), AT_THE_SAME_TIME),
    toArray(),
    map((all) => join(all.sort((a, b) => a.index - b.index).map(({ one }) => one as ChatCompletion))),
  );
}
