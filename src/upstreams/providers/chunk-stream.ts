import { Observable, type OperatorFunction } from 'rxjs';
import type { ChatCompletionChunk } from '../contract/chat.types.js';
import type { UpstreamEvent } from '../contract/provider.adapter.js';

/** Reads the events of one stream, and emits chunks while it does. */
export interface ChunkReader {
  /** True at the API's own end mark: nothing behind it is read. Throws what the upstream reports. */
  read(event: UpstreamEvent): boolean;
  /** The stream has ended, with its end mark or without. */
  end(): void;
}

/** The operator of `fromStream` around a reader; a new reader for each subscription. */
export function chunkStream(
  createReader: (emit: (chunk: ChatCompletionChunk) => void) => ChunkReader,
): OperatorFunction<UpstreamEvent, ChatCompletionChunk> {
  return (source) =>
    new Observable((subscriber) => {
      const reader = createReader((chunk) => subscriber.next(chunk));

      function finish(): void {
        try {
          reader.end();
        } catch (error) {
          subscriber.error(error);
        }
        subscriber.complete();
      }

      return source.subscribe({
        next(event) {
          try {
            if (reader.read(event)) finish();
          } catch (error) {
            subscriber.error(error);
          }
        },
        error: (error) => subscriber.error(error),
        complete: finish,
      });
    });
}
