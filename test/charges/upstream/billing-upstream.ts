import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { BilledAttempt } from './bill.js';

const PROGRAM = resolve(import.meta.dirname, 'billing-upstream.child.ts');
const HOOK = resolve(import.meta.dirname, '../../support/typescript.hooks.mjs');

type Told = { url: string } | { told: string } | { bill: BilledAttempt[] };

/** The provider of all models, as a process of its own. */
export class BillingUpstream {
  private readonly waiting = new Map<string, () => void>();

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.on('message', (message: Told) => {
      if ('told' in message) this.waiting.get(message.told)?.();
    });
  }

  static async start(): Promise<BillingUpstream> {
    const child = fork(PROGRAM, { execArgv: ['--import', HOOK] });
    const [message] = (await once(child, 'message')) as [Told];
    if (!('url' in message)) throw new Error('the upstream did not tell its address');
    return new BillingUpstream(child, message.url);
  }

  /** Calls back once the answer to this request has come as far as its wish says. */
  onTold(id: string, listener: () => void): void {
    this.waiting.set(id, listener);
  }

  forget(id: string): void {
    this.waiting.delete(id);
  }

  async bill(): Promise<BilledAttempt[]> {
    const answer = new Promise<BilledAttempt[]>((resolve) => {
      this.child.on('message', (message: Told) => {
        if ('bill' in message) resolve(message.bill);
      });
    });
    this.child.send('bill');
    return answer;
  }

  async stop(): Promise<void> {
    this.child.disconnect();
    await once(this.child, 'exit');
  }
}
