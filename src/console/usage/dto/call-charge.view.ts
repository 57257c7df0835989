import { ApiProperty } from '@nestjs/swagger';

const BASES = ['visible', 'time', 'ceiling', 'prompt'] as const;

export class CacheWriteView {
  @ApiProperty({ type: 'integer', enum: [5, 60], description: 'For how long the provider keeps them.' })
  minutes!: 5 | 60;

  @ApiProperty({ type: 'integer' })
  tokens!: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Their price relative to the input price; null: the prices have changed since.',
  })
  factor!: number | null;
}

export class ServiceTierView {
  @ApiProperty({ example: 'priority' })
  name!: string;

  @ApiProperty({ description: 'Its price relative to the list price.' })
  factor!: number;
}

export class HostedToolCallsView {
  @ApiProperty({ example: 'web_search' })
  name!: string;

  @ApiProperty({ type: 'integer' })
  calls!: number;
}

/** Explains a charge that is not just the list price of the reported tokens. */
export class CallChargeView {
  @ApiProperty({
    enum: BASES,
    nullable: true,
    description:
      'How tokens were found that the upstream did not report: counted in what was seen of the answer, by the time that the model had, the most that the answer could have, or the prompt alone. Null: it reported them.',
  })
  basis!: (typeof BASES)[number] | null;

  @ApiProperty({ type: [CacheWriteView], description: "Input that was written to the provider's cache." })
  cacheWrites!: CacheWriteView[];

  @ApiProperty({ type: ServiceTierView, nullable: true, description: 'Null: the list price.' })
  serviceTier!: ServiceTierView | null;

  @ApiProperty({ type: [HostedToolCallsView], description: "Calls of the provider's own tools." })
  hostedTools!: HostedToolCallsView[];

  @ApiProperty({ description: 'Dollars beyond what was reserved, by which a budget may be exceeded.' })
  overReservedUsd!: number;

  @ApiProperty({ description: 'Not charged, since the upstream failed in the middle of the answer.' })
  isFree!: boolean;

  @ApiProperty({ description: 'The model has no price, so the call counts as $0. As the model is set up now.' })
  isUnpriced!: boolean;
}
