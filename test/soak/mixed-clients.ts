import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch, type Response } from 'undici';
import type { Random } from '../support/random.js';

/** A question whose answer is larger than the socket buffers. */
export const LONG_ANSWER = 'Tell me everything.';

const PATIENCE_MS = 60_000;
const READ_PAUSE_MS = 80;

type Manner = 'reads' | 'reads slowly' | 'leaves before' | 'leaves within';

/** Clients that make one call after the other, with the usual behavior of clients. */
export class MixedClients {
  /** How calls ended, and how many did so. */
  readonly ends = new Map<string, number>();
  /** Results that no client should get. */
  readonly faults: string[] = [];
  private readonly stored = new Agent({ connections: null });
  /**
   * After an error event in a stream the gateway closes the connection, on which another call may already have been
   * sent.
   */
  private readonly fresh = new Agent({ connections: null, pipelining: 0 });
  private readonly running: Promise<void>[];
  private isStopped = false;

  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly random: Random,
    { streams, jsons }: { streams: number; jsons: number },
  ) {
    this.running = Array.from({ length: streams + jsons }, (_, client) => this.run(client < streams));
  }

  /** Lets all calls end, and closes the connections. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
    await Promise.all([this.stored.close(), this.fresh.close()]);
  }

  private async run(streamed: boolean): Promise<void> {
    await sleep(this.random.below(1000));
    while (!this.isStopped) {
      const manner = this.manner(streamed);
      const leaving = new AbortController();
      try {
        this.note(await this.call(streamed, manner, leaving));
      } catch (error) {
        if (leaving.signal.aborted) this.note('left');
        else this.faults.push(`${manner}: ${String(error)} ${String((error as Error).cause ?? '')}`);
      }
    }
  }

  private manner(streamed: boolean): Manner {
    const share = this.random.below(100);
    if (share < 8) return 'leaves before';
    if (share < 16 && streamed) return 'leaves within';
    if (share < 24 && streamed) return 'reads slowly';
    return 'reads';
  }

  private async call(streamed: boolean, manner: Manner, leaving: AbortController): Promise<string> {
    const timer = manner === 'leaves before' && setTimeout(() => leaving.abort(), this.random.below(300));
    const content = manner === 'reads slowly' ? LONG_ANSWER : 'Say hello.';
    const response = await fetch(`${this.url}/v1/chat/completions`, {
      method: 'POST',
      dispatcher: streamed ? this.fresh : this.stored,
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(PATIENCE_MS)]),
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], stream: streamed }),
    });
    const end = response.status === 200 && streamed ? readStream(response, manner, leaving) : readJson(response);
    return end.finally(() => timer && clearTimeout(timer));
  }

  private note(end: string): void {
    this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
    if (/^(200 cut|200 unreadable|4(?!29)|500)/.test(end)) this.faults.push(end);
  }
}

async function readJson(response: Response): Promise<string> {
  const { choices, error } = (await response.json()) as { choices?: unknown; error?: { code?: string } };
  return choices ? '200' : `${response.status} ${error?.code ?? 'unreadable'}`;
}

async function readStream(response: Response, manner: Manner, leaving: AbortController): Promise<string> {
  let end = '';
  for await (const data of response.body ?? []) {
    if (manner === 'leaves within') leaving.abort();
    if (manner === 'reads slowly') await sleep(READ_PAUSE_MS);
    end = (end + Buffer.from(data as Uint8Array).toString('latin1')).slice(-2000);
  }
  if (end.endsWith('data: [DONE]\n\n')) return '200 stream';
  const code = /data: \{"error":.*"code":"(\w+)"/.exec(end)?.[1];
  return code ? `200 stream, then ${code}` : '200 cut';
}
