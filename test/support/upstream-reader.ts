import type { Answer } from './answer.js';
import type { Recording } from './recordings.js';

/** How the recordings of one protocol are read, in the plainest way and apart from its adapter. */
export interface UpstreamReader {
  /** What an answer says, and so what an adapter's result must hold. */
  answer(recording: Recording): Answer;
  /** The error that an answer with status 200 tells inside its stream. */
  streamError(stream: string): unknown;
  /** Whether an exchange was a chat, and not of another endpoint. */
  isChat(recording: Recording): boolean;
  /** Matches where a stream first tells a finish reason. */
  readonly finishMark: RegExp;
  /** Stands in every request that holds an image. */
  readonly imageMark: string;
  /** The recorded requests are in OpenAI's format. */
  readonly speaksOpenAi: boolean;
  /** The folders of recordings that the protocol has; by default the one of its name. */
  readonly folders?: readonly string[];
  /** A stream with events in it that nobody knows; by default server-sent ones. */
  strewn?(stream: string): string;
  /** Where the event with the finish reason begins, in bytes; by default the server-sent one at `finishMark`. */
  offsetBeforeFinish?(stream: string): number;
}
