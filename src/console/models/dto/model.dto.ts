import { ApiProperty } from '@nestjs/swagger';

export class ModelPriceView {
  @ApiProperty({ description: 'US dollars per million input tokens.' })
  inputUsdPerMTok!: number;

  @ApiProperty({ description: 'US dollars per million input tokens that the provider had in its cache.' })
  cachedInputUsdPerMTok!: number;

  @ApiProperty({ description: 'US dollars per million output tokens, reasoning included.' })
  outputUsdPerMTok!: number;
}

const REASONS = ['plan', 'no_credential'] as const;

export class ModelView {
  @ApiProperty({ example: 'gpt-5.4-nano', description: 'What a request names in `model`; it may hold slashes.' })
  id!: string;

  @ApiProperty()
  displayName!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ description: 'Who made the model.' })
  ownedBy!: string;

  @ApiProperty({ example: 'free', description: 'A plan names the tiers whose models it brings.' })
  tier!: string;

  @ApiProperty({ description: 'Tokens that fit in: question, history and answer.' })
  contextLength!: number;

  @ApiProperty({ type: Number, nullable: true, description: 'The longest answer, in tokens; null: not known.' })
  maxOutputTokens!: number | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['image_input', 'tools', 'json_schema', 'reasoning'],
    description: 'Null: not known, so nothing is refused beforehand.',
  })
  capabilities!: readonly string[] | null;

  @ApiProperty({ type: [String], example: ['text', 'image'] })
  inputModalities!: readonly string[];

  @ApiProperty({ type: [String], example: ['text'] })
  outputModalities!: readonly string[];

  @ApiProperty()
  price!: ModelPriceView;

  @ApiProperty({
    description: 'Answered by the built-in simulator, at no cost, since no provider is connected for it.',
  })
  simulated!: boolean;

  @ApiProperty({ description: 'Whether you may call it now.' })
  callable!: boolean;

  @ApiProperty({
    enum: REASONS,
    nullable: true,
    description:
      'Why you may not: your plan lacks its tier, or no provider has a credential. Only admins see such models.',
  })
  reason!: (typeof REASONS)[number] | null;
}
