import { ApiProperty } from '@nestjs/swagger';
import { Integer } from '../../dto/view-properties.js';

const STATUSES = ['healthy', 'degraded', 'failing', 'unused', 'simulated'] as const;

export type ModelStatus = (typeof STATUSES)[number];

export class ModelHealthView {
  @ApiProperty({
    enum: STATUSES,
    description:
      'By its newest calls of the last 24 hours: `failing` if at least half of them failed, or if all its targets are set aside; `degraded` if at least a tenth failed; `unused` if there are none.',
  })
  status!: ModelStatus;

  @Integer('The newest calls of the last 24 hours, 20 at most.')
  calls!: number;

  @Integer('How many of them failed for reasons other than the request.')
  failures!: number;

  @Integer('Its targets that have a credential; with several keys, one for each.')
  targets!: number;

  @Integer('How many of them the responding process has set aside.')
  asideTargets!: number;
}
