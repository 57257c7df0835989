import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway, TestUser } from './test-gateway.js';

const QUESTION = { model: 'gpt-5.4-nano', messages: [{ role: 'user', content: 'Hello' }] };
const ATTEMPT_PAUSE_MS = 50;

/** Clients that call one after the other, half of them with streams, and remember how each call ended. */
export class AnswerLoad {
  /** The ids of the answers that came whole. */
  readonly answered: string[] = [];
  /** What came instead: the status, or for a stream that broke off `broken`. */
  readonly failed: (number | 'broken')[] = [];
  private readonly clients: Promise<void>[];
  private stopped = false;

  constructor(
    private readonly gateway: TestGateway,
    private readonly user: TestUser,
    clients = 24,
  ) {
    this.clients = Array.from({ length: clients }, (_, client) => this.run(client % 2 === 0));
  }

  /** Resolves when the last call of each client has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async run(stream: boolean): Promise<void> {
    while (!this.stopped) {
      const response = await this.gateway.complete(this.user, { ...QUESTION, stream });
      const text = await response.text();
      const isWhole = response.status === 200 && (!stream || text.endsWith('data: [DONE]\n\n'));
      const id = /"id":"(chatcmpl-[^"]+)"/.exec(text)?.[1];
      if (isWhole && id) this.answered.push(id);
      else this.failed.push(response.status === 200 ? 'broken' : response.status);
      if (!isWhole) await sleep(ATTEMPT_PAUSE_MS);
    }
  }
}
