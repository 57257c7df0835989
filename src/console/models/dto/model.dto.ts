import { ApiProperty } from '@nestjs/swagger';

const NUMBER_OR_NULL = { type: Number, nullable: true } as const;
const NUMBERS = { type: 'object', additionalProperties: { type: 'number' } } as const;

export class ModelPriceView {
  @ApiProperty({ description: 'US dollars per million input tokens.' })
  inputUsdPerMTok!: number;

  @ApiProperty({ description: 'US dollars per million input tokens that the provider had in its cache.' })
  cachedInputUsdPerMTok!: number;

  @ApiProperty({ description: 'US dollars per million output tokens, reasoning included.' })
  outputUsdPerMTok!: number;

  @ApiProperty({
    ...NUMBER_OR_NULL,
    description:
      "US dollars per million input tokens that are written to the provider's cache for 5 minutes; null: not set, which is 1.25 times the input price.",
  })
  cacheWrite5mUsdPerMTok!: number | null;

  @ApiProperty({
    ...NUMBER_OR_NULL,
    description: 'The same for an hour; null: not set, which is twice the input price.',
  })
  cacheWrite1hUsdPerMTok!: number | null;

  @ApiProperty({
    ...NUMBERS,
    example: { priority: 2 },
    description: 'By service tier, how its prices are to these.',
  })
  serviceTiers!: Record<string, number>;

  @ApiProperty({
    ...NUMBERS,
    example: { web_search: 0.01 },
    description: 'By tool that the provider runs, US dollars for each of its calls.',
  })
  hostedTools!: Record<string, number>;
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

  @ApiProperty({ description: 'False: nobody has said what it costs, so its calls count as $0.' })
  hasPrice!: boolean;

  @ApiProperty({ description: "Whether requests may refer to files in the company's account at the provider." })
  providerFiles!: boolean;

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
