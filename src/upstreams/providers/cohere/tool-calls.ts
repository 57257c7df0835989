/** What the API writes for the arguments of a call that has none. */
const NONE = 'null';

/** The arguments of a whole call as JSON text, `{}` where there are none. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' || value.trim() === NONE ? '{}' : value;
  return value === undefined || value === null ? '{}' : JSON.stringify(value);
}

/** The arguments of a streamed call. They are held back only as long as they may turn out to be none. */
export class StreamedArguments {
  private held = '';
  private known = false;

  constructor(private readonly send: (text: string) => void) {}

  add(text: string): void {
    if (this.known) {
      if (text !== '') this.send(text);
      return;
    }
    this.held += text;
    if (NONE.startsWith(this.held.trim())) return;
    this.known = true;
    this.send(this.held);
  }

  end(): void {
    if (!this.known) this.send('{}');
  }
}
