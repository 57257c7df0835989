import { ApiProperty } from '@nestjs/swagger';
import { Integer, IntegerOrNull, NumberOrNull, ViewOrNull } from '../../dto/view-properties.js';

const BASES = ['visible', 'time', 'ceiling', 'prompt'] as const;

export class CacheWriteView {
  @ApiProperty({ type: 'integer', enum: [5, 60], description: 'How long the provider keeps them.' })
  minutes!: 5 | 60;

  @Integer()
  tokens!: number;

  @NumberOrNull('Their price in proportion to the input price; null if the prices have changed since.')
  factor!: number | null;
}

export class ServiceTierView {
  @ApiProperty({ example: 'priority' })
  name!: string;

  @ApiProperty({ description: 'Its price in proportion to the list price.' })
  factor!: number;
}

export class HostedToolCallsView {
  @ApiProperty({ example: 'web_search' })
  name!: string;

  @Integer()
  calls!: number;
}

/** Explains a charge that is not just the list price of the reported tokens. */
export class CallChargeView {
  @ApiProperty({
    enum: BASES,
    nullable: true,
    description:
      'How unreported tokens were estimated: from the received part of the answer, from the elapsed time, as the longest possible answer, or only the prompt. Null: the upstream reported them.',
  })
  basis!: (typeof BASES)[number] | null;

  @ApiProperty({ type: [CacheWriteView], description: "Input that was written to the provider's cache." })
  cacheWrites!: CacheWriteView[];

  @ViewOrNull(ServiceTierView, 'Null: the list price.')
  serviceTier!: ServiceTierView | null;

  @ApiProperty({ type: [HostedToolCallsView], description: "Calls of the provider's own tools." })
  hostedTools!: HostedToolCallsView[];

  @ApiProperty({ description: 'The cost above the reservation, in dollars; a budget may be exceeded by it.' })
  overReservedUsd!: number;

  @ApiProperty({ description: 'Not charged, because the upstream failed during the answer.' })
  isFree!: boolean;

  @ApiProperty({ description: 'The model has no price, so the call counts as $0. By its current configuration.' })
  isUnpriced!: boolean;

  @NumberOrNull('The list price of the tokens in dollars; null if the prices have changed since, or there are none.')
  listUsd!: number | null;

  @IntegerOrNull('The longest answer, in tokens, that a budget allowed; null if no budget shortened it.')
  outputCeiling!: number | null;

  @ApiProperty({ description: 'The prices of the model have changed since the call.' })
  hasOtherPrices!: boolean;
}
