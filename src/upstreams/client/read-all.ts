import { Observable } from 'rxjs';
import { UpstreamError } from '../contract/upstream.error.js';

/** Reads a body and emits the result of `read`. A body above `limit` bytes is a 502, or is cut there. */
export function readAll<Result>(
  body: Observable<Buffer>,
  limit: number,
  read: (bytes: Buffer) => Result,
  above: 'refused' | 'cut' = 'refused',
): Observable<Result> {
  return new Observable((subscriber) => {
    const parts: Buffer[] = [];
    let size = 0;
    const emit = (): void => {
      const bytes = toOne(parts);
      let result: Result;
      try {
        result = read(bytes.length > limit ? bytes.subarray(0, limit) : bytes);
      } catch (error) {
        subscriber.error(error);
        return;
      }
      subscriber.next(result);
      subscriber.complete();
    };
    return body.subscribe({
      next: (data) => {
        parts.push(data);
        size += data.length;
        if (size <= limit) return;
        if (above === 'cut') emit();
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
