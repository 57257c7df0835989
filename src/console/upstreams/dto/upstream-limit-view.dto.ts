import { Integer, IntegerOrNull, NumberOrNull, TextOrNull } from '../../dto/view-properties.js';

const NO_LIMIT = 'Null: no limit.';

/** A provider's limit for one key of an upstream, or for one model with it, and its current use. */
export class UpstreamLimitView {
  @TextOrNull('The number or name of the key, if the upstream has several.')
  key!: string | null;

  @TextOrNull('The upstream’s name of the model; null for limits of the upstream.')
  model!: string | null;

  @IntegerOrNull(NO_LIMIT)
  requestsPerMinute!: number | null;

  @IntegerOrNull(NO_LIMIT)
  tokensPerMinute!: number | null;

  @IntegerOrNull(NO_LIMIT)
  concurrentCalls!: number | null;

  @NumberOrNull("Used part of this process's share of the requests, 0 to 1; null: no limit.")
  requests!: number | null;

  @NumberOrNull("Used part of this process's share of the tokens, 0 to 1; null: no limit.")
  tokens!: number | null;

  @NumberOrNull('Used part of the concurrent calls of all processes, 0 to 1; null: no limit.')
  calls!: number | null;

  @Integer('Calls that wait for it in the responding process.')
  waiting!: number;
}
