/** Writes the numbered events of one stream as SSE text. */
export class EventWriter {
  private sequence = 0;
  private text = '';

  /** `fields`: the event's other members as JSON text. */
  write(type: string, fields: string): void {
    this.text += `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.sequence++},${fields}}\n\n`;
  }

  /** The text written since the last call. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  /** Sets the number of the next event, if earlier events were written elsewhere. */
  continueAt(sequence: number): void {
    this.sequence = sequence;
  }
}
