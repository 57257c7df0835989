import type { Answer } from './answer.js';
import type { Exchange } from './exchanges.js';

/** Reads the answers of one protocol in the simplest way, without its adapter. */
export interface UpstreamReader {
  /** What an answer says, and so what an adapter's result must hold. */
  answer(exchange: Exchange): Answer;
  /** The error that an answer with status 200 tells inside its stream. */
  streamError(stream: string): unknown;
  /** Whether an exchange was a chat, and not of another endpoint. */
  isChat(exchange: Exchange): boolean;
  /** Matches where a stream first tells a finish reason. */
  readonly finishMark: RegExp;
  /** Stands in every request that holds an image. */
  readonly imageMark: string;
  /** The requests are in OpenAI's format. */
  readonly speaksOpenAi: boolean;
  /** The folders of recordings for the protocol; by default the one with its name. */
  readonly folders?: readonly string[];
  /** A stream with events in it that nobody knows; by default server-sent ones. */
  strewn?(stream: string): string;
  /** Where the event with the finish reason begins, in bytes; by default the server-sent one at `finishMark`. */
  offsetBeforeFinish?(stream: string): number;
}
