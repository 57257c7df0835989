/** The API's arguments for a call without any. */
const NONE = 'null';

/** JSON text, `{}` if there are none. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value.trim() === '' || value.trim() === NONE ? '{}' : value;
  return value === undefined || value === null ? '{}' : JSON.stringify(value);
}

/** Arguments of a streamed call, held back only while they may still be `null`. */
export class StreamedArguments {
  private heldText = '';
  private known = false;

  constructor(private readonly send: (text: string) => void) {}

  add(text: string): void {
    if (this.known) {
      if (text !== '') this.send(text);
      return;
    }
    this.heldText += text;
    if (NONE.startsWith(this.heldText.trim())) return;
    this.known = true;
    this.send(this.heldText);
  }

  end(): void {
    if (!this.known) this.send('{}');
  }
}
