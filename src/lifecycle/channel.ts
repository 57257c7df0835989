interface ChannelEnd {
  readonly connected?: boolean;
  send?(message: unknown, handle: undefined, options: undefined, onSent: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

interface Question {
  readonly ask: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Reply {
  readonly reply: number;
  readonly value?: unknown;
  readonly error?: string;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Requests and replies between the first process of a gateway and a worker. */
export class Channel {
  private readonly handlers = new Map<string, (argument: unknown) => Promise<unknown>>();
  private readonly waiting = new Map<number, Waiting>();
  private requested = 0;

  constructor(private readonly end: ChannelEnd) {
    end.on('message', (message) => this.receive(message));
    end.on('disconnect', () => this.fail(new Error('the other process is gone')));
  }

  /** Call it before requests can arrive. */
  answer(name: string, handler: (argument: unknown) => Promise<unknown>): void {
    this.handlers.set(name, handler);
  }

  /** Rejects with the other process's error, or when it has ended. */
  ask(name: string, argument?: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const question: Question = { ask: ++this.requested, name, argument };
      this.waiting.set(question.ask, { resolve, reject });
      this.send(question);
    });
  }

  private receive(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    if ('ask' in message) void this.reply(message as Question);
    if ('reply' in message) this.settle(message as Reply);
  }

  private async reply({ ask, name, argument }: Question): Promise<void> {
    const handler = this.handlers.get(name);
    if (!handler) return;
    try {
      this.send({ reply: ask, value: await handler(argument) });
    } catch (error) {
      this.send({ reply: ask, error: error instanceof Error ? error.message : String(error) });
    }
  }

  private settle({ reply, value, error }: Reply): void {
    const waiting = this.waiting.get(reply);
    this.waiting.delete(reply);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  private send(message: Question | Reply): void {
    const failed = (error: Error | null) => error && this.fail(error);
    if (this.end.connected && this.end.send) this.end.send(message, undefined, undefined, failed);
    else this.fail(new Error('the other process is gone'));
  }

  private fail(error: Error): void {
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
  }
}
