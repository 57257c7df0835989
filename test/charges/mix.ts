import { type BilledRequest, isInterrupted } from './billed-requests.js';
import { type Lifetime, MODELS, WRITES } from './catalog.js';
import { MOVE_NAMES, MOVES, type Move, type MoveName } from './requests/moves.js';
import type { Run } from './simulation.js';

const STEP_TOKENS = MODELS.plain.price.above.inputTokens;

/** How often each situation occurred that charges must handle; a run without one of them proves less than it claims. */
export function mixOf({ bill, ranOut }: Run, billedRequests: readonly BilledRequest[]): Record<string, number> {
  const count = (holds: (one: BilledRequest) => boolean) => billedRequests.filter(holds).length;
  const body = ({ request }: BilledRequest) => request.script;
  return {
    delivered: count(({ paid }) => paid?.ending === 'delivered'),
    'left before its first token': count(({ paid }) => paid?.ending === 'left' && paid.output === 0),
    'left later': count(({ paid }) => paid?.ending === 'left' && paid.output > 0),
    'left, read to the end by the gateway': count(
      ({ request, paid }) =>
        request.called.seen === 'left' && paid?.upstream === 'whole' && paid.ending === 'delivered',
    ),
    'failed in the middle': bill.filter(({ ending }) => ending === 'failed').length,
    'served by a retry': count(
      ({ paid, unpaid }) => paid !== null && unpaid.some(({ ending }) => ending === 'refused'),
    ),
    'served by a fallback': count(({ request, paid }) => request.model === 'fragile' && paid?.model === 'plain'),
    'lost hedges': count(
      ({ request, paid, unpaid }) => request.model === 'hedged' && paid !== null && unpaid.length > 0,
    ),
    'died with their gateway': count(isInterrupted),
    'reasoning, hidden': count(({ request, paid }) => request.model === 'hidden' && paid !== null),
    'reasoning, visible': count(({ paid, ...one }) => paid !== null && body({ paid, ...one }).showsThoughts),
    'tools called': count((one) => one.paid !== null && body(one).callsTool),
    ...Object.fromEntries(
      Object.keys(WRITES).map((lifetime) => [
        `cache writes, ${lifetime}`,
        count(({ paid }) => (paid?.prompt.written[lifetime as Lifetime] ?? 0) > 0),
      ]),
    ),
    'prompts above a step': count(
      ({ request, paid }) => request.model === 'plain' && (paid?.prompt.total ?? 0) > STEP_TOKENS,
    ),
    'another service tier served': count((one) => one.paid !== null && body(one).servedTier !== null),
    'cached input': count(({ paid }) => (paid?.prompt.cached ?? 0) > 0),
    'service tier priority': count(({ paid }) => paid?.tier === 'priority'),
    ...Object.fromEntries(
      (['none', 'each', 'over', 'huge', 'negative', 'zero'] as const).map((report) => [
        `usage reported: ${report}`,
        count((one) => one.paid !== null && body(one).report === report),
      ]),
    ),
    ...Object.fromEntries(MOVE_NAMES.map((move) => [move, count((one) => didMove(one, move))])),
    'refused by a budget': count(({ request }) => request.called.code === 'insufficient_quota'),
    'budgets spent': ranOut.length,
  };
}

function didMove({ request, paid }: BilledRequest, name: MoveName): boolean {
  const { isRefused = false }: Move = MOVES[name];
  return request.move === name && (isRefused ? request.called.status === 400 : paid !== null);
}
