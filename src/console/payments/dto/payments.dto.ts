import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { TimeOrNull } from '../../dto/view-properties.js';

export class PaidPlanView {
  @ApiProperty({ example: 'pro' })
  planId!: string;

  @ApiProperty({ description: "The subscription's status at Stripe.", example: 'active' })
  status!: string;

  @ApiProperty({ description: 'It is active, or can still be paid.' })
  running!: boolean;

  @TimeOrNull()
  paidUntil!: Date | null;

  @ApiProperty({ description: 'It will not be renewed after the paid period.' })
  ends!: boolean;
}

export class OfferView {
  @ApiProperty({ example: 'pro' })
  planId!: string;

  @ApiProperty({ example: 'Pro' })
  name!: string;
}

export class PaymentsView {
  @ApiProperty({ type: [OfferView], description: 'The plans for sale.' })
  offers!: OfferView[];

  @ApiProperty({ type: [PaidPlanView], description: 'Your purchases.' })
  paid!: PaidPlanView[];
}

export class PlanToBuy {
  @ApiProperty({ example: 'pro' })
  @IsString()
  @Matches(/^[\w-]{1,64}$/, { message: '$property must be the id of a plan' })
  planId!: string;
}

export class PaymentLinkView {
  @ApiProperty({ description: 'A page of Stripe to open.' })
  url!: string;
}
