import { ApiProperty } from '@nestjs/swagger';

/** Tokens and cost of one call or many. */
export class UsageAmountsView {
  @ApiProperty({ type: 'integer', description: 'Including cached ones.' })
  inputTokens!: number;

  @ApiProperty({ type: 'integer' })
  cachedTokens!: number;

  @ApiProperty({ type: 'integer', description: 'Including reasoning.' })
  outputTokens!: number;

  @ApiProperty({ type: 'integer' })
  reasoningTokens!: number;

  @ApiProperty({ description: 'The exact cost: whole nano-dollars (10⁻⁹ $).', example: '1234500' })
  costNanodollars!: string;

  @ApiProperty({ description: 'The same in dollars, as a number.' })
  costUsd!: number;
}
