import { ApiProperty } from '@nestjs/swagger';

const TEXT = { type: String, nullable: true } as const;
const LIMIT = { type: 'integer', nullable: true, description: 'Null: not limited.' } as const;
const FULLNESS = { type: Number, nullable: true } as const;

/** A provider's limit for one key of an upstream, or for one model with it, and its current use. */
export class UpstreamLimitView {
  @ApiProperty({ ...TEXT, description: 'The number or name of the key, where the upstream has several.' })
  key!: string | null;

  @ApiProperty({
    ...TEXT,
    description: 'What the upstream calls the model; null: the limits are those of the upstream.',
  })
  model!: string | null;

  @ApiProperty(LIMIT)
  requestsPerMinute!: number | null;

  @ApiProperty(LIMIT)
  tokensPerMinute!: number | null;

  @ApiProperty(LIMIT)
  concurrentCalls!: number | null;

  @ApiProperty({ ...FULLNESS, description: "Of this process's share of the requests: from 0 to 1; null: not limited." })
  requests!: number | null;

  @ApiProperty({ ...FULLNESS, description: "Of this process's share of the tokens: from 0 to 1; null: not limited." })
  tokens!: number | null;

  @ApiProperty({
    ...FULLNESS,
    description: 'Of the concurrent calls of all processes: from 0 to 1; null: not limited.',
  })
  calls!: number | null;

  @ApiProperty({ type: 'integer', description: 'Calls that wait for it in the process that answers.' })
  waiting!: number;
}
