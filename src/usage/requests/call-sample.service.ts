import { Injectable } from '@nestjs/common';
import type { CallPosition, UsageCall, UsageRequestFilter } from '../reports/usage-call.types.js';
import { UsageCallsService } from '../reports/usage-calls.service.js';
import { meets } from './call-conditions.js';

const BATCH = 1000;

export interface CallSample {
  /** The calls that meet the conditions. */
  calls: UsageCall[];
  /** The number of examined calls if there are more; null if all were examined. */
  newest: number | null;
}

/** The newest calls, for counts that no roll-up has. */
@Injectable()
export class CallSampleService {
  constructor(private readonly calls: UsageCallsService) {}

  async of({ where = {}, ...filter }: UsageRequestFilter, most: number): Promise<CallSample> {
    const found: UsageCall[] = [];
    let behind: CallPosition | null = null;
    for (let examined = 0; examined < most; examined += BATCH) {
      const { calls } = await this.calls.newest(filter, behind, BATCH);
      found.push(...calls.filter((call) => meets(call, where)));
      const last = calls.at(-1);
      if (last === undefined || calls.length < BATCH) return { calls: found, newest: null };
      behind = [last.position, last.id];
    }
    return { calls: found, newest: most };
  }
}
