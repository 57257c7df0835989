/** Clients that call a gateway in a loop, half of them streaming, until it is gone or `stop`. */
export class ClientLoad {
  /** Ids of calls with a complete answer: a JSON body, or `[DONE]`. */
  readonly seen = new Set<string>();
  private readonly clients: Promise<void>[];
  private stopped = false;

  constructor(
    private readonly url: string,
    private readonly key: string,
    clients = 40,
  ) {
    this.clients = Array.from({ length: clients }, (_, client) => this.run(client % 2 === 0));
  }

  /** Resolves when every client has failed: the gateway is gone. */
  async ended(): Promise<void> {
    await Promise.all(this.clients);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.ended();
  }

  private async run(streamed: boolean): Promise<void> {
    while (!this.stopped) {
      try {
        const response = await fetch(`${this.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'gpt-6-luna',
            messages: [{ role: 'user', content: 'Hello' }],
            stream: streamed,
          }),
        });
        await (streamed ? this.readStream(response) : this.readJson(response));
      } catch {
        return;
      }
    }
  }

  private async readJson(response: Response): Promise<void> {
    const { id } = (await response.json()) as { id?: string };
    if (id) this.seen.add(id);
  }

  private async readStream(response: Response): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      const id = text.includes('data: [DONE]\n\n') && /"id":"([^"]+)"/.exec(text)?.[1];
      if (id) this.seen.add(id);
    }
  }
}
