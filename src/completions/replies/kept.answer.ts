/** Where an answer goes that is to be given again. Both resolve in any case. */
export interface AnswerPlace {
  /** Null: the answer is too large. */
  keep(answer: Buffer | null): Promise<void>;
  release(): Promise<void>;
}

/** An answer as it goes out, gathered so that it can be given again byte by byte. */
export class KeptAnswer {
  private pieces: (string | Buffer)[] = [];
  private size = 0;
  private ended: Promise<void> | undefined;

  constructor(
    /** Bytes; a larger answer is not kept. */
    private readonly most: number,
    private readonly place: AnswerPlace,
  ) {}

  add(piece: string | Buffer): void {
    this.size += Buffer.byteLength(piece);
    if (this.size > this.most) this.pieces = [];
    else this.pieces.push(piece);
  }

  /** The whole answer is there, and goes out when this has resolved. */
  keep(): Promise<void> {
    const isWhole = this.size <= this.most;
    this.ended ??= this.place.keep(isWhole ? Buffer.concat(this.pieces.map(toBuffer)) : null);
    return this.ended;
  }

  /** The call has failed, or its client has left, unless its answer is being kept. */
  release(): Promise<void> {
    this.ended ??= this.place.release();
    return this.ended;
  }
}

function toBuffer(piece: string | Buffer): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : piece;
}
