import { LRUCache } from 'lru-cache';
import type { AdmissionRequest } from '../ledger/rows/admission.types.js';
import { type LimitRefusal, leastCost } from './limit.refusal.js';
import { LIMIT_NAMES, type LimitName } from './values/limit-values.js';

export interface RememberedRefusal {
  readonly refusal: LimitRefusal;
  /** `performance.now()` */
  readonly until: number;
}

const MAX = 10_000;

/** Repeats refusals without a query until their time has passed or the limit changes. */
export class RefusalMemory {
  private readonly refusals = new LRUCache<string, RememberedRefusal>({ max: MAX });

  remember(remembered: RememberedRefusal): void {
    const { balance, name } = remembered.refusal;
    this.refusals.set(`${balance.id} ${name}`, remembered);
  }

  /** A remembered refusal by one of these limits that applies to the call. */
  find(request: AdmissionRequest, names: readonly LimitName[] = LIMIT_NAMES): RememberedRefusal | null {
    if (this.refusals.size === 0) return null;
    for (const { id, values } of request.balances) {
      for (const name of names) {
        if (values[name] === null) continue;
        const found = this.refusals.get(`${id} ${name}`);
        if (!found || found.refusal.balance.values[name] !== values[name]) continue;
        if (performance.now() >= found.until) this.refusals.delete(`${id} ${name}`);
        else if (wants(request, name) >= found.refusal.wanted) return found;
      }
    }
    return null;
  }

  forgetConcurrentCalls({ balances }: AdmissionRequest): void {
    if (this.refusals.size === 0) return;
    for (const { id } of balances) this.refusals.delete(`${id} concurrentCalls`);
  }
}

function wants(request: AdmissionRequest, name: LimitName): number {
  if (name === 'tokensPerMinute') return request.tokens;
  return name === 'requestsPerMinute' || name === 'concurrentCalls' ? 1 : leastCost(request);
}
