export interface AnswerStore {
  /** Null: the answer is too large. */
  keep(answer: Buffer | null): Promise<void>;
  release(): Promise<void>;
}

/** Collects an answer while it is sent, so that it can be repeated byte by byte. */
export class StoredAnswer {
  private pieces: string[] = [];
  private size = 0;
  private ended: Promise<void> | undefined;

  constructor(
    /** Bytes; larger answers are not stored. */
    private readonly most: number,
    private readonly store: AnswerStore,
  ) {}

  add(piece: string): void {
    this.size += Buffer.byteLength(piece);
    if (this.size > this.most) this.pieces = [];
    else this.pieces.push(piece);
  }

  keep(): Promise<void> {
    const isWhole = this.size <= this.most;
    this.ended ??= this.store.keep(isWhole ? Buffer.from(this.pieces.join('')) : null);
    return this.ended;
  }

  /** Call it if the call failed or its client disconnected. Does nothing if the answer is already being stored. */
  release(): Promise<void> {
    this.ended ??= this.store.release();
    return this.ended;
  }
}
