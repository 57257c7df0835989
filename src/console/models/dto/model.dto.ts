import { ApiProperty } from '@nestjs/swagger';
import { Integer, NumberOrNull } from '../../dto/view-properties.js';
import { ModelHealthView } from './model-health.view.js';

const NUMBERS = { type: 'object', additionalProperties: { type: 'number' } } as const;

export class ModelPriceView {
  @ApiProperty({ description: 'US dollars per million input tokens.' })
  inputUsdPerMTok!: number;

  @ApiProperty({ description: 'US dollars per million input tokens read from the provider’s cache.' })
  cachedInputUsdPerMTok!: number;

  @ApiProperty({ description: 'US dollars per million output tokens, reasoning included.' })
  outputUsdPerMTok!: number;

  @NumberOrNull(
    "US dollars per million input tokens written to the provider's cache for 5 minutes; null: 1.25 times the input price.",
  )
  cacheWrite5mUsdPerMTok!: number | null;

  @NumberOrNull('The same for an hour; null: twice the input price.')
  cacheWrite1hUsdPerMTok!: number | null;

  @ApiProperty({
    ...NUMBERS,
    example: { priority: 2 },
    description: 'Factors of these prices by service tier.',
  })
  serviceTiers!: Record<string, number>;

  @ApiProperty({
    ...NUMBERS,
    example: { web_search: 0.01 },
    description: 'US dollars per call by provider tool.',
  })
  hostedTools!: Record<string, number>;
}

const KINDS = ['chat', 'embedding'] as const;

const REASONS = ['plan', 'no_credential'] as const;

export class ModelView {
  @ApiProperty({ example: 'gpt-5.4-nano', description: 'The value of `model` in requests; it can contain slashes.' })
  id!: string;

  @ApiProperty({ type: [String], example: [], description: 'Other names that it can be called by.' })
  aliases!: readonly string[];

  @ApiProperty({ enum: KINDS, description: 'Chat or embedding model: `/v1/embeddings` accepts only the latter.' })
  kind!: (typeof KINDS)[number];

  @ApiProperty()
  displayName!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({ description: 'Who made the model.' })
  ownedBy!: string;

  @ApiProperty({ example: 'free', description: 'A plan includes the models of its tiers.' })
  tier!: string;

  @ApiProperty({ description: 'The context length in tokens: question, history and answer.' })
  contextLength!: number;

  @NumberOrNull('The numbers in a vector; null for chat models.')
  dimensions!: number | null;

  @NumberOrNull('The longest input, in tokens; null for chat models.')
  maxInputTokens!: number | null;

  @NumberOrNull('The longest answer, in tokens; null if unknown.')
  maxOutputTokens!: number | null;

  @ApiProperty({
    type: [String],
    nullable: true,
    example: ['image_input', 'tools', 'json_schema', 'reasoning'],
    description: 'Null if unknown; nothing is then refused in advance.',
  })
  capabilities!: readonly string[] | null;

  @ApiProperty({ type: [String], example: ['text', 'image'] })
  inputModalities!: readonly string[];

  @ApiProperty({ type: [String], example: ['text'] })
  outputModalities!: readonly string[];

  @ApiProperty()
  price!: ModelPriceView;

  @ApiProperty({ description: 'False: no price is configured, so its calls count as $0.' })
  hasPrice!: boolean;

  @ApiProperty({ description: "Whether requests can refer to files in the company's account at the provider." })
  providerFiles!: boolean;

  @ApiProperty({
    description: 'Answered by the built-in simulator, at no cost, because no provider is connected for it.',
  })
  simulated!: boolean;

  @ApiProperty({ description: 'How it has answered recently.' })
  health!: ModelHealthView;

  @Integer('The one with the lowest number is suggested first: working ones before others, then the cheapest.')
  suggestionRank!: number;

  @ApiProperty({ description: 'Whether you can use it now.' })
  callable!: boolean;

  @ApiProperty({
    enum: REASONS,
    nullable: true,
    description:
      'Why you cannot: your plan lacks its tier, or no provider has a credential. Only admins see such models.',
  })
  reason!: (typeof REASONS)[number] | null;
}
