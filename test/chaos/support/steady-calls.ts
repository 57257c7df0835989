import { setTimeout as sleep } from 'node:timers/promises';
import type { Called, CallOptions, Fleet } from '../../replicas/support/fleet.js';

const TICK_MS = 5;
const RETRY_MS = 1000;

/** Calls that arrive at a steady rate, independently of the earlier ones. */
export class SteadyCalls {
  readonly lost: string[] = [];
  answered = 0;
  /** Answers with 503 `overloaded`: these calls are retried, like by SDKs. */
  refused = 0;
  private isOver = false;
  private readonly running: Promise<void>;

  private constructor(
    private readonly fleet: Fleet,
    private readonly perSecond: number,
    private readonly options: CallOptions,
    private readonly ifTurnedAway: 'repeated' | 'lost',
  ) {
    this.running = this.arrive();
  }

  static begin(
    fleet: Fleet,
    perSecond: number,
    options: CallOptions,
    ifTurnedAway: 'repeated' | 'lost' = 'repeated',
  ): SteadyCalls {
    return new SteadyCalls(fleet, perSecond, options, ifTurnedAway);
  }

  get calls(): number {
    return this.answered + this.lost.length;
  }

  /** Resolves when every call is answered. */
  async end(): Promise<this> {
    this.isOver = true;
    await this.running;
    return this;
  }

  private async arrive(): Promise<void> {
    const beganAt = performance.now();
    const calls: Promise<void>[] = [];
    while (!this.isOver) {
      const due = ((performance.now() - beganAt) / 1000) * this.perSecond;
      while (calls.length < due) calls.push(this.call());
      await sleep(TICK_MS);
    }
    await Promise.all(calls);
  }

  private async call(): Promise<void> {
    const begunAt = time();
    for (;;) {
      const answer = await this.fleet.call(this.options);
      if (isWhole(answer, this.options.stream)) this.answered++;
      else if (this.isRepeated(answer)) this.refused++;
      else
        this.lost.push(`${begunAt} to ${time()} s: ${answer.status} ${answer.body.slice(-160).replaceAll('\n', ' ')}`);
      if (!this.isRepeated(answer)) return;
      await sleep(RETRY_MS);
    }
  }

  /** A busy machine refuses calls. */
  private isRepeated({ status, body }: Called): boolean {
    return this.ifTurnedAway === 'repeated' && status === 503 && body.includes('"overloaded"');
  }
}

/** Wall-clock seconds. */
function time(): string {
  return new Date().toISOString().slice(17, 23);
}

function isWhole({ status, body }: Called, isStream = false): boolean {
  return status === 200 && (!isStream || body.endsWith('data: [DONE]\n\n'));
}
