import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

export interface Liveness {
  /** Whatever was not a 200: statuses and errors. */
  wrong: string[];
  slowestMs: number;
  medianMs: number;
  answers: number;
}

/** Asks `/health/live` of a gateway until it is stopped, from a process of its own, which no work of the test delays. */
export class LiveProbe {
  private readonly child: ChildProcess;

  constructor(url: string) {
    this.child = fork(resolve(import.meta.dirname, 'live-probe.child.ts'), [`${url}/health/live`], { execArgv: [] });
  }

  async stop(): Promise<Liveness> {
    const told = once(this.child, 'message');
    this.child.send('stop');
    const [liveness] = (await told) as [Liveness];
    return liveness;
  }
}
