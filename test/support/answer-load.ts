import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway, TestUser } from './test-gateway.js';

const QUESTION = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }] };
const ATTEMPT_PAUSE_MS = 50;

/** Clients that call in a loop, half of them streaming, and record how each call ended. */
export class AnswerLoad {
  /** Ids of complete answers. */
  readonly answered: string[] = [];
  /** Statuses of failed calls, or `broken` for a truncated stream. */
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

  /** Resolves when each client's last call has ended. */
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
