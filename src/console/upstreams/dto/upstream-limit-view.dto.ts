import { ApiProperty } from '@nestjs/swagger';
import { Integer, NumberOrNull, TextOrNull } from '../../dto/view-properties.js';

const LIMIT = { type: 'integer', nullable: true, description: 'Null: no limit.' } as const;

/** A provider's limit for one key of an upstream, or for one model with it, and its current use. */
export class UpstreamLimitView {
  @TextOrNull('The number or name of the key, if the upstream has several.')
  key!: string | null;

  @TextOrNull('The upstream’s name of the model; null for limits of the upstream.')
  model!: string | null;

  @ApiProperty(LIMIT)
  requestsPerMinute!: number | null;

  @ApiProperty(LIMIT)
  tokensPerMinute!: number | null;

  @ApiProperty(LIMIT)
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
