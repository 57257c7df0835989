import { costOf, factorOf, type PricedOptions } from '../../billing/price.js';
import type { ChargeNotes, TokenCounts } from '../../ledger/rows/call-record.types.js';
import { hostedTools, tierOf } from '../../limits/paid-options.js';
import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest, CompletionUsage } from '../../upstreams/contract/chat.types.js';
import type { ChargedUsage } from './charged-usage.js';

export interface Charge {
  readonly nanodollars: bigint;
  readonly notes: ChargeNotes | null;
}

interface ChargedCall {
  readonly request: ChatCompletionRequest;
  readonly model: Pick<Model, 'price' | 'simulated'>;
  /** Nano-dollars; null: no budget applies. */
  readonly reserved: bigint | null;
  /** Whether the caller disconnected: an estimate is then capped at the reservation. */
  readonly isLeft: boolean;
  /** Whether the upstream failed: usage is then recorded but not charged. */
  readonly isFailed: boolean;
}

const NO_OPTIONS: PricedOptions = {};
const FREE: Charge = { nanodollars: 0n, notes: null };

export function chargeOf({ usage, basis }: ChargedUsage, tokens: TokenCounts, call: ChargedCall): Charge {
  const { request, model, reserved, isLeft, isFailed } = call;
  if (model.simulated) return basis ? { nanodollars: 0n, notes: { basis } } : FREE;
  if (isFailed)
    return {
      nanodollars: 0n,
      notes: { ...(basis && { basis }), ...(costOf(tokens, model.price) > 0n && { isFree: true }) },
    };
  const used = tokens.input > 0 || tokens.output > 0;
  const options = used ? optionsOf(request, model, usage) : NO_OPTIONS;
  const cost = costOf(tokens, model.price, options);
  const nanodollars = isLeft && basis && reserved !== null && cost > reserved ? reserved : cost;
  const { serviceTier, hostedTools: tools } = options;
  const isOver = reserved !== null && nanodollars > reserved;
  const uncharged = cost - nanodollars;
  const isPlain = basis === null && !tokens.cacheWrite5m && !tokens.cacheWrite1h && !serviceTier && !tools && !isOver;
  if (isPlain) return { nanodollars, notes: null };
  const factor = factorOf(model.price, serviceTier);
  const notes: ChargeNotes = {
    ...(basis && { basis }),
    ...(tokens.cacheWrite5m && { cacheWrite5m: tokens.cacheWrite5m }),
    ...(tokens.cacheWrite1h && { cacheWrite1h: tokens.cacheWrite1h }),
    ...(serviceTier && factor !== 1 && { serviceTier, factor }),
    ...(tools && { hostedTools: { ...tools } }),
    ...(uncharged > 0n && { uncharged: Number(uncharged) }),
    ...(isOver && { overReserved: Number(nanodollars - reserved) }),
  };
  return { nanodollars, notes: Object.keys(notes).length > 0 ? notes : null };
}

/** The estimated cost of the prompt at the requested service tier. A number instead of a bigint, for speed. */
export function promptCharge(request: ChatCompletionRequest, { price, simulated }: Model, tokens: number): number {
  if (simulated || !price.isPaid) return 0;
  return Math.round((tokens * Number(price.input) * factorOf(price, tierOf(request))) / 1e6);
}

function optionsOf(
  request: ChatCompletionRequest,
  { price }: Pick<Model, 'price'>,
  usage: CompletionUsage,
): PricedOptions {
  const serviceTier = tierOf(request);
  const requested = price.hostedTools.size > 0 ? hostedTools(request) : [];
  if (requested.length === 0) return serviceTier === null ? NO_OPTIONS : { serviceTier };
  const tools = requested.filter(({ name }) => price.hostedTools.has(name));
  const calls = tools.map(({ name }) => [name, callsOf(name, usage)] as const).filter(([, count]) => count > 0);
  return calls.length > 0 ? { serviceTier, hostedTools: Object.fromEntries(calls) } : { serviceTier };
}

/** The number that the provider reported, else one call for each requested tool. */
function callsOf(tool: string, { server_tool_use: used }: CompletionUsage): number {
  const reported = tool === 'web_search' ? used?.web_search_requests : undefined;
  return reported !== undefined && Number.isSafeInteger(reported) && reported >= 0 ? reported : 1;
}
