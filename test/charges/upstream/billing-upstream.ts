import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { BilledAttempt } from './bill.js';

const PROGRAM = resolve(import.meta.dirname, 'billing-upstream.child.ts');
const HOOK = resolve(import.meta.dirname, '../../support/typescript.hooks.mjs');

type UpstreamMessage = { url: string } | { progress: string } | { bill: BilledAttempt[] };

/** The provider of all models, in its own process. */
export class BillingUpstream {
  private readonly waiting = new Map<string, () => void>();

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.on('message', (message: UpstreamMessage) => {
      if ('progress' in message) this.waiting.get(message.progress)?.();
    });
  }

  static async start(): Promise<BillingUpstream> {
    const child = fork(PROGRAM, { execArgv: ['--import', HOOK] });
    const [message] = (await once(child, 'message')) as [UpstreamMessage];
    if (!('url' in message)) throw new Error('the upstream did not send its address');
    return new BillingUpstream(child, message.url);
  }

  /** Calls back when the answer to this request has progressed as far as its script says. */
  onProgress(id: string, listener: () => void): void {
    this.waiting.set(id, listener);
  }

  forget(id: string): void {
    this.waiting.delete(id);
  }

  async bill(): Promise<BilledAttempt[]> {
    const answer = new Promise<BilledAttempt[]>((resolve) => {
      this.child.on('message', (message: UpstreamMessage) => {
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
