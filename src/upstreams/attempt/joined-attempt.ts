import { from, map, mergeMap, type Observable, toArray } from 'rxjs';
import type { Answer, ChatCompletion } from '../contract/chat.types.js';

/** The maximum number of concurrent requests of one attempt. */
const AT_THE_SAME_TIME = 4;

/** An attempt with several requests, whose answers are joined in their order. Fails if any request fails. */
export function joinedAttempt<Attempt extends { readonly answer: Observable<Answer> }>(
  first: Attempt,
  others: readonly Attempt[],
  join: (answers: readonly ChatCompletion[]) => ChatCompletion,
): Attempt {
  const answer = from([first, ...others]).pipe(
    mergeMap((part, index) => part.answer.pipe(map((one) => ({ index, one }))), AT_THE_SAME_TIME),
    toArray(),
    map((all) => join(all.sort((a, b) => a.index - b.index).map(({ one }) => one as ChatCompletion))),
  );
  return { ...first, answer };
}
