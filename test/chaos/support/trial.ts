import type { Fleet } from '../../replicas/support/fleet.js';

/** What a trial has seen. */
export interface Outcome {
  /** What was at stake, such as `1440 calls`. */
  readonly of: string;
  /** One entry for each thing lost: expected to be empty. */
  readonly lost: readonly string[];
}

/** One fault, and what must survive it. */
export interface Trial {
  readonly name: string;
  /** `isLong`: minutes rather than seconds. */
  run(fleet: Fleet, isLong: boolean): Promise<Outcome>;
}
