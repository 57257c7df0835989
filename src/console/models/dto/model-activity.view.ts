import { ApiProperty } from '@nestjs/swagger';
import { Integer, NumberOrNull } from '../../dto/view-properties.js';

export class ModelActivityView {
  @ApiProperty({ description: 'The model’s id.' })
  id!: string;

  @Integer('Requests of all users, including running ones but not refused ones.')
  requests!: number;

  @Integer()
  succeeded!: number;

  @Integer('Failed or interrupted.')
  errors!: number;

  @Integer('Refused before a provider was called; not among `requests`.')
  refused!: number;

  @Integer(
    'How many streamed requests the next fields are computed from: the successful ones among the newest 10,000 requests of all models.',
  )
  streamed!: number;

  @NumberOrNull('The median time to the first token. Null: no streamed requests.')
  p50FirstTokenMs!: number | null;

  @NumberOrNull('95% of the first tokens came within this time.')
  p95FirstTokenMs!: number | null;

  @NumberOrNull('Output tokens, divided by the time from the first token to the end.')
  tokensPerSecond!: number | null;
}
