import type { Answer } from './answer.js';
import type { Exchange } from './exchanges.js';

/** Reads the answers of one protocol in the simplest way, without its adapter. */
export interface UpstreamReader {
  /** The content of an answer, which the adapter's result must match. */
  answer(exchange: Exchange): Answer;
  /** The error within a stream of status 200. */
  streamError(stream: string): unknown;
  /** False for exchanges of other endpoints. */
  isChat(exchange: Exchange): boolean;
  /** Matches the first finish reason of a stream. */
  readonly finishMark: RegExp;
  /** Occurs in every request with an image. */
  readonly imageMark: string;
  /** Requests are in OpenAI's format. */
  readonly speaksOpenAi: boolean;
  /** The protocol's folders of recordings; by default the one with its name. */
  readonly folders?: readonly string[];
  /** Adds unknown events to a stream; by default server-sent ones. */
  strewn?(stream: string): string;
  /** The byte offset of the event with the finish reason; by default the server-sent event at `finishMark`. */
  offsetBeforeFinish?(stream: string): number;
}
