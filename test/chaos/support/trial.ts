import type { Fleet } from '../../replicas/support/fleet.js';

/** The result of a trial. */
export interface Outcome {
  /** What was tested, such as `1440 calls`. */
  readonly of: string;
  /** One entry for each loss; expected to be empty. */
  readonly lost: readonly string[];
}

/** One kind of fault, and what must survive it. */
export interface Trial {
  readonly name: string;
  /** `isLong`: minutes rather than seconds. */
  run(fleet: Fleet, isLong: boolean): Promise<Outcome>;
}
