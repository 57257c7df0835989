import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

export interface Liveness {
  /** Everything but a 200: statuses and errors. */
  wrong: string[];
  slowestMs: number;
  medianMs: number;
  answers: number;
}

/** Polls `/health/live` of a gateway from its own process, which the test's work does not delay. */
export class LiveProbe {
  private readonly child: ChildProcess;

  constructor(url: string) {
    this.child = fork(resolve(import.meta.dirname, 'live-probe.child.ts'), [`${url}/health/live`], { execArgv: [] });
  }

  async stop(): Promise<Liveness> {
    const reported = once(this.child, 'message');
    this.child.send('stop');
    const [liveness] = (await reported) as [Liveness];
    return liveness;
  }
}
