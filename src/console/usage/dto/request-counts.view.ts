import { ApiProperty } from '@nestjs/swagger';
import { Integer, IntegerOrNull, TextOrNull } from '../../dto/view-properties.js';

const NEWEST = 'Set if only the newest requests were counted: how many were examined.';

export class RequestBarView {
  @ApiProperty()
  start!: Date;

  @Integer()
  succeeded!: number;

  @Integer('Failed or interrupted.')
  failed!: number;

  @Integer('Refused before a model was called. Counted by the hour: an hour counts in the step in which it starts.')
  refused!: number;

  @Integer('Running, or aborted by their callers.')
  others!: number;
}

export class RequestHistogramView {
  @ApiProperty()
  from!: Date;

  @ApiProperty()
  to!: Date;

  @ApiProperty({ enum: ['hour', 'day'] })
  step!: 'hour' | 'day';

  @ApiProperty({ type: [RequestBarView], description: 'Every hour or day, including those without requests.' })
  bars!: RequestBarView[];

  @IntegerOrNull(NEWEST)
  newest!: number | null;
}

export class RequestFacetOptionView {
  @ApiProperty({
    description: 'The value to filter by. For cost and duration, the minimum in dollars or ms.',
  })
  id!: string;

  @ApiProperty()
  label!: string;

  @TextOrNull('The display form of a key, the name of a user.')
  detail!: string | null;

  @Integer()
  count!: number;
}

export class RequestFacetView {
  @ApiProperty({
    type: [RequestFacetOptionView],
    description: 'The first 50, most requests first. The filter by the same value does not apply to them.',
  })
  options!: RequestFacetOptionView[];

  @IntegerOrNull(NEWEST)
  newest!: number | null;
}
