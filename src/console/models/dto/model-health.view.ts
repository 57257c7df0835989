import { ApiProperty } from '@nestjs/swagger';

const STATUSES = ['healthy', 'degraded', 'failing', 'unused', 'simulated'] as const;

export type ModelStatus = (typeof STATUSES)[number];

export class ModelHealthView {
  @ApiProperty({
    enum: STATUSES,
    description:
      'By its newest calls of the last 24 hours: `failing` when half of them or more failed, or when all its targets are set aside; `degraded` from a tenth on; `unused` without calls.',
  })
  status!: ModelStatus;

  @ApiProperty({ type: 'integer', description: 'The newest calls of the last 24 hours, 20 at most.' })
  calls!: number;

  @ApiProperty({ type: 'integer', description: 'How many of them failed, other than by a fault of the caller.' })
  failures!: number;

  @ApiProperty({ type: 'integer', description: 'Its targets that have a credential; with several keys, one for each.' })
  targets!: number;

  @ApiProperty({ type: 'integer', description: 'How many of them the responding process has set aside.' })
  asideTargets!: number;
}
