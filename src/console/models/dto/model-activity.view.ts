import { ApiProperty } from '@nestjs/swagger';

const NUMBER_OR_NULL = { type: Number, nullable: true } as const;

export class ModelActivityView {
  @ApiProperty({ description: 'The model’s id.' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'Requests of all users, including running ones but not refused ones.' })
  requests!: number;

  @ApiProperty({ type: 'integer' })
  succeeded!: number;

  @ApiProperty({ type: 'integer', description: 'Failed or interrupted.' })
  errors!: number;

  @ApiProperty({ type: 'integer', description: 'Refused before a provider was called; not among `requests`.' })
  refused!: number;

  @ApiProperty({
    type: 'integer',
    description:
      'How many streamed requests the next fields are computed from: the successful ones among the newest 10,000 requests of all models.',
  })
  streamed!: number;

  @ApiProperty({ ...NUMBER_OR_NULL, description: 'The median time to the first token. Null: no streamed requests.' })
  p50FirstTokenMs!: number | null;

  @ApiProperty({ ...NUMBER_OR_NULL, description: '95% of the first tokens came within this time.' })
  p95FirstTokenMs!: number | null;

  @ApiProperty({
    ...NUMBER_OR_NULL,
    description: 'Output tokens, divided by the time from the first token to the end.',
  })
  tokensPerSecond!: number | null;
}
