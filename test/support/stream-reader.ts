/** Reads a streamed answer event by event. */
export class StreamReader {
  /** The `data` of all events so far. */
  readonly events: string[] = [];
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private rest = '';

  constructor(response: Response) {
    if (!response.body) throw new Error('the response has no body');
    this.reader = response.body.getReader();
  }

  /** The next event; undefined at the end of the stream. Skips comments. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const end = this.rest.indexOf('\n\n');
      if (end >= 0) {
        const event = this.rest.slice(0, end);
        this.rest = this.rest.slice(end + 2);
        if (!event.startsWith('data: ')) continue;
        this.events.push(event.slice('data: '.length));
        return event.slice('data: '.length);
      }
      const { value, done } = await this.reader.read();
      if (done) return undefined;
      this.rest += this.decoder.decode(value, { stream: true });
    }
  }

  /** Reads until a matching event, or to the end. */
  async until(fits: (event: string) => boolean = () => false): Promise<string | undefined> {
    for (;;) {
      const event = await this.next();
      if (event === undefined || fits(event)) return event;
    }
  }

  /** The client disconnects. */
  async leave(): Promise<void> {
    await this.reader.cancel();
  }
}
