import { Observable } from 'rxjs';
import { UpstreamError } from '../contract/upstream.error.js';

/** A whole body as one buffer, emitted at its end. One over `limit` bytes is an answer that cannot be read: 502. */
export function readAll(body: Observable<Buffer>, limit: number): Observable<Buffer> {
  return collect(body, limit, false);
}

/** The first `limit` bytes of a body at most, as one buffer; what is beyond them is not read. */
export function readStart(body: Observable<Buffer>, limit: number): Observable<Buffer> {
  return collect(body, limit, true);
}

function collect(body: Observable<Buffer>, limit: number, mayCut: boolean): Observable<Buffer> {
  return new Observable((subscriber) => {
    const parts: Buffer[] = [];
    let size = 0;
    const emit = (): void => {
      subscriber.next(toOne(parts).subarray(0, limit));
      subscriber.complete();
    };
    return body.subscribe({
      next: (data) => {
        parts.push(data);
        size += data.length;
        if (size <= limit) return;
        if (mayCut) emit();
        else subscriber.error(tooLarge(limit));
      },
      error: (error: unknown) => subscriber.error(error),
      complete: emit,
    });
  });
}

function toOne(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts);
}

function tooLarge(limit: number): UpstreamError {
  return new UpstreamError({ status: 502 }, { cause: new Error(`The answer is larger than ${limit} bytes.`) });
}
