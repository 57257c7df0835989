import { ApiProperty } from '@nestjs/swagger';
import { toDay } from '../../common/wall-clock.js';
import type { ListedPrices, Model, ModelObstacle } from '../../models/model.types.js';
import { OptionalId } from '../shared/fields.js';
import { Integer, NumberOrNull, toDollars } from '../shared/views.js';
import { ModelHealthView, type ModelStanding } from './model-health.service.js';

/** `obstacle`: why the viewer cannot call it. */
export function toModelView(model: Model, obstacle: ModelObstacle | null, standing: ModelStanding): ModelView {
  const { id, displayName, description, ownedBy, tier, contextLength, maxOutputTokens, simulated } = model;
  return {
    id,
    aliases: model.aliases,
    kind: model.kind,
    displayName,
    description,
    ownedBy,
    tier,
    contextLength,
    dimensions: model.dimensions,
    maxInputTokens: model.maxInputTokens,
    maxOutputTokens,
    capabilities: model.capabilities,
    inputModalities: model.inputModalities,
    outputModalities: model.outputModalities,
    price: toPriceView(model),
    hasPrice: model.hasPrice,
    providerFiles: model.providerFiles,
    deprecated: model.deprecated === null ? null : toDay(model.deprecated),
    replacedBy: model.replacedBy,
    simulated,
    ...standing,
    callable: obstacle === null,
    reason: obstacle,
  };
}

function toPriceView({ price, priceUntil, usdPerMTok }: Model): ModelPriceView {
  return {
    ...toTokenPricesView(usdPerMTok),
    above: usdPerMTok.above.map((step) => ({ inputTokens: step.inputTokens, ...toTokenPricesView(step) })),
    until: priceUntil === null ? null : new Date(priceUntil).toISOString(),
    serviceTiers: Object.fromEntries(price.serviceTiers),
    hostedTools: Object.fromEntries([...price.hostedTools].map(([tool, usd]) => [tool, toDollars(usd)])),
  };
}

function toTokenPricesView({ input, cachedInput, output, cacheWrites }: ListedPrices): TokenPricesView {
  return {
    inputUsdPerMTok: input,
    cachedInputUsdPerMTok: cachedInput,
    outputUsdPerMTok: output,
    cacheWriteUsdPerMTok: cacheWrites,
  };
}

const NUMBERS = { type: 'object', additionalProperties: { type: 'number' } } as const;

class TokenPricesView {
  @ApiProperty({ description: 'US dollars per million input tokens.' })
  inputUsdPerMTok!: number;

  @ApiProperty({ description: 'US dollars per million input tokens read from the provider’s cache.' })
  cachedInputUsdPerMTok!: number;

  @ApiProperty({ description: 'US dollars per million output tokens, reasoning included.' })
  outputUsdPerMTok!: number;

  @ApiProperty({
    ...NUMBERS,
    example: { '5m': 6.25 },
    description:
      "US dollars per million input tokens written to the provider's cache, by the time that it keeps them. Without a price, they cost 1.25 times the input price for up to half an hour, and twice the input price for longer.",
  })
  cacheWriteUsdPerMTok!: Readonly<Record<string, number>>;
}

/** The prices of all tokens of a call with a long prompt. */
export class PriceStepView extends TokenPricesView {
  @Integer('They apply to prompts with more input tokens than this.')
  inputTokens!: number;
}

class ModelPriceView extends TokenPricesView {
  @ApiProperty({ type: [PriceStepView], description: 'Prices for long prompts, shortest first.' })
  above!: readonly PriceStepView[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When this price ends; null: no end is known.',
  })
  until!: string | null;

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
  @ApiProperty({ example: 'gpt-6-luna', description: 'The value of `model` in requests; it can contain slashes.' })
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
    type: String,
    format: 'date',
    nullable: true,
    description: 'The day from which the provider no longer serves it; null: none is known.',
  })
  deprecated!: string | null;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'The model to use instead.' })
  replacedBy!: string | null;

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

export class ModelsQuery {
  @OptionalId('The models that the keys of this project can use, for its members and admins.')
  project?: string;
}

export class ModelActivityView {
  @ApiProperty({ description: 'The model’s id.' })
  id!: string;

  @Integer('Requests of all users, including running ones but not refused ones.')
  requests!: number;

  @Integer()
  succeeded!: number;

  @Integer('Failed or interrupted.')
  errors!: number;

  @Integer('Refused before a provider was called; not among `requests`.')
  refused!: number;

  @Integer(
    'How many streamed requests the next fields are computed from: the successful ones among the newest 10,000 requests of all models.',
  )
  streamed!: number;

  @NumberOrNull('The median time to the first token. Null: no streamed requests.')
  p50FirstTokenMs!: number | null;

  @NumberOrNull('95% of the first tokens came within this time.')
  p95FirstTokenMs!: number | null;

  @NumberOrNull('Output tokens, divided by the time from the first token to the end.')
  tokensPerSecond!: number | null;
}
