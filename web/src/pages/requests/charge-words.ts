import { formatFactor, formatNumber, formatUsd, formatUsdExactly, plural } from '../../kit/numbers';
import { toolWords } from '../../kit/words';
import type { CallDetail } from './requests-queries';

type Charge = NonNullable<CallDetail['charge']>;
type ChargedCall = Pick<CallDetail, 'charge' | 'simulated' | 'status' | 'costUsd'>;

const STORED_FOR: Record<number, string> = { 5: '5 minutes', 30: '30 minutes', 60: 'an hour', 720: '12 hours' };

const ESTIMATED = 'Output tokens were estimated';

/** Why a call was not just charged the list price of the reported tokens: a sentence for each reason. Simulated calls have no price. */
export function chargeSentences({ charge, simulated, status, costUsd }: ChargedCall): string[] {
  if (!charge) return [];
  const cached =
    charge.cachedUsd === null
      ? []
      : [`Answered from the cache; it would have cost ${formatUsdExactly(charge.cachedUsd)}.`];
  if (simulated) return cached;
  return [
    ...(charge.isUnpriced ? ['The model has no price, so the call counts as $0.'] : []),
    ...cached,
    ...(charge.isFree ? ['Not charged: the provider failed during the answer.'] : []),
    ...basisSentence(charge.basis, status),
    ...charge.cacheWrites.map(cacheWriteSentence),
    ...(charge.servedTier === null ? [] : [`The provider served it at the service tier ${charge.servedTier}.`]),
    ...(charge.serviceTier ? [tierSentence(charge.serviceTier)] : []),
    ...(charge.aboveInputTokens === null
      ? []
      : [`Prices for prompts over ${formatNumber(charge.aboveInputTokens)} tokens.`]),
    ...(charge.soundTokens > 0 ? [`${formatNumber(charge.soundTokens)} tokens of sound at their own price.`] : []),
    ...charge.hostedTools.map(toolSentence),
    ...(charge.otherAttemptsUsd > 0
      ? [`${formatUsdExactly(charge.otherAttemptsUsd)} of it is for attempts whose answers could not be used.`]
      : []),
    ...overReservedSentence(charge),
    ...(charge.hasOtherPrices ? ["The model's prices have changed since this request."] : []),
    ...listSentence(charge.listUsd, costUsd),
  ];
}

/** A nano-dollar is the least that a call can cost. */
function listSentence(listUsd: number | null, costUsd: number): string[] {
  if (listUsd === null || Math.abs(listUsd - costUsd) < 1e-9) return [];
  return [`The list price of these tokens is ${formatUsdExactly(listUsd)}.`];
}

/** The kinds of `underestimated`; others are names of hosted tools. */
const UNDERESTIMATED: Record<string, string> = {
  output: 'the answer was longer than its limit',
  text: 'the prompt has more tokens than were expected',
  image: 'its images have more tokens than were expected',
  sound: 'its sound has more tokens than was expected',
  file: 'its files have more tokens than were expected',
  reference: 'it refers to content that the gateway does not see',
};

function overReservedSentence({ overReservedUsd, underestimated }: Charge): string[] {
  if (overReservedUsd <= 0) return [];
  const reason = underestimated
    ? `, because ${UNDERESTIMATED[underestimated] ?? `${toolWords(underestimated).toLowerCase()} was used more than was expected`}`
    : '';
  return [`${formatUsd(overReservedUsd)} more than reserved${reason}. The budget may be exceeded.`];
}

function basisSentence(basis: Charge['basis'], status: CallDetail['status']): string[] {
  const left = `${status === 'failed' ? 'A limit of the gateway ended the answer.' : 'The caller left early.'} ${ESTIMATED}`;
  switch (basis) {
    case null:
      return [];
    case 'prompt':
      return ["Only the prompt was charged: the gateway's process ended before the answer."];
    case 'time':
      return [`${left} from the elapsed time, at the model's usual speed.`];
    case 'ceiling':
      return [`${left} as the longest possible answer.`];
    case 'visible':
      return status === 'aborted'
        ? [`${left} from the received text.`]
        : ['The gateway counted the tokens, because the provider did not report them.'];
  }
}

function cacheWriteSentence({ minutes, tokens, factor }: Charge['cacheWrites'][number]): string {
  const written = plural(tokens, 'token was written', 'tokens were written');
  const price = factor === null ? '' : ` at ${times(factor)} the input price`;
  return `${written} to the provider's cache for ${STORED_FOR[minutes]}${price}.`;
}

function tierSentence({ name, factor }: NonNullable<Charge['serviceTier']>): string {
  return `Service tier ${name}: ${times(factor)} the list price.`;
}

function toolSentence({ name, calls }: Charge['hostedTools'][number]): string {
  if (name === 'web_search') return `${plural(calls, 'web search', 'web searches')} by the provider.`;
  return `${plural(calls, 'call')} of the provider's tool ${toolWords(name).toLowerCase()}.`;
}

function times(factor: number): string {
  return `${formatFactor(factor)} ×`;
}
