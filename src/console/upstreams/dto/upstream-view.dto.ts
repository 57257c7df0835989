import { ApiProperty } from '@nestjs/swagger';
import { UpstreamLimitView } from './upstream-limit-view.dto.js';

const STATES = ['live', 'no_credential'] as const;
const HEALTHS = ['healthy', 'failing', 'unused', 'no_credential'] as const;
const MODEL_STATES = ['live', 'simulated', 'hidden'] as const;
const KINDS = ['json', 'stream'] as const;
const OPTIONAL_TEXT = { type: String, nullable: true } as const;
const OPTIONAL_TIME = { ...OPTIONAL_TEXT, format: 'date-time' } as const;
const OPTIONAL_INTEGER = { type: 'integer', nullable: true } as const;

/** Time limits, in ms. */
export class UpstreamClocksView {
  @ApiProperty({ type: 'integer' })
  connect!: number;

  @ApiProperty({ type: 'integer' })
  head!: number;

  @ApiProperty({ type: 'integer' })
  firstEvent!: number;

  @ApiProperty({ type: 'integer' })
  idle!: number;

  @ApiProperty({ type: 'integer' })
  total!: number;
}

export class UpstreamFailureView {
  @ApiProperty({ format: 'date-time' })
  at!: Date;

  @ApiProperty({ example: 'upstream_error' })
  code!: string;

  @ApiProperty({ ...OPTIONAL_INTEGER, description: "The upstream's own HTTP status." })
  status!: number | null;

  @ApiProperty({ description: 'The public model id.' })
  model!: string;

  @ApiProperty()
  requestId!: string;
}

export class ServedModelView {
  @ApiProperty({ description: 'The public model id.' })
  id!: string;

  @ApiProperty({ description: 'What the upstream calls it.' })
  upstreamModel!: string;
}

/** An upstream of upstreams.yaml. */
export class UpstreamView {
  @ApiProperty({ description: 'Its key in upstreams.yaml.' })
  name!: string;

  @ApiProperty()
  protocol!: string;

  @ApiProperty({ description: 'Without what may be secret in it.' })
  baseUrl!: string;

  @ApiProperty({ ...OPTIONAL_TEXT, description: 'The variable that sets the base URL; null: the file does.' })
  baseUrlSetBy!: string | null;

  @ApiProperty({ description: 'How requests are authenticated: none, bearer, header, sigv4 or google.' })
  auth!: string;

  @ApiProperty({ enum: STATES, description: 'Whether it can be called; not whether it answers.' })
  state!: (typeof STATES)[number];

  @ApiProperty({
    enum: HEALTHS,
    description:
      'How it has answered in the last 24 hours: failing when at least half of its newest 20 attempts failed by no fault of the request.',
  })
  health!: (typeof HEALTHS)[number];

  @ApiProperty({ type: 'integer', description: 'Attempts of the last 24 hours; retries count one by one.' })
  attempts!: number;

  @ApiProperty({ type: 'integer', description: 'Those of them that failed.' })
  failures!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    example: [['OPENAI_API_KEY']],
    description: 'The variables that give it its credential: one of these groups, all of the group together.',
  })
  variables!: string[][];

  @ApiProperty({ type: [String], description: 'Those of them that are set.' })
  setVariables!: string[];

  @ApiProperty()
  clocks!: UpstreamClocksView;

  @ApiProperty(OPTIONAL_TEXT)
  apiVersion!: string | null;

  @ApiProperty(OPTIONAL_TEXT)
  project!: string | null;

  @ApiProperty(OPTIONAL_TEXT)
  location!: string | null;

  @ApiProperty({ type: [UpstreamLimitView], description: 'What its provider allows; empty: nothing is set.' })
  limits!: UpstreamLimitView[];

  @ApiProperty({ type: [ServedModelView] })
  models!: ServedModelView[];

  @ApiProperty({ ...OPTIONAL_TIME, description: 'Of the last 24 hours.' })
  lastSuccessAt!: Date | null;

  @ApiProperty({ type: UpstreamFailureView, nullable: true, description: 'Of the last 24 hours.' })
  lastError!: UpstreamFailureView | null;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'The share of its input tokens in the last 24 hours that came from the cache of a provider.',
  })
  cachedShare!: number | null;
}

const ASIDE_REASONS = ['failing', 'limited', 'refused'] as const;

export class FailingUpstreamView {
  @ApiProperty()
  name!: string;

  @ApiProperty({ type: 'integer', description: 'Calls in the last 24 hours that tell how it answers.' })
  attempts!: number;

  @ApiProperty({ type: 'integer' })
  failures!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Of the last failure.' })
  code!: string | null;
}

/** A process of a gateway. */
export class SeenByView {
  @ApiProperty()
  host!: string;

  @ApiProperty({ type: 'integer', description: 'Its id there.' })
  process!: number;
}

/** A target with one of the keys of its upstream. */
export class TargetKeyView {
  @ApiProperty({ description: 'Its number in the environment, or its name in upstreams.yaml.' })
  name!: string;

  @ApiProperty({ ...OPTIONAL_TEXT, enum: ASIDE_REASONS, description: 'Why it is set aside; null: it is not.' })
  asideReason!: (typeof ASIDE_REASONS)[number] | null;

  @ApiProperty({ ...OPTIONAL_TIME, description: 'Until when it is set aside, in the process that answers.' })
  asideUntil!: string | null;

  @ApiProperty({ type: SeenByView, nullable: true, description: 'Who found that out; null: the process that answers.' })
  asideBy!: SeenByView | null;
}

export class ModelTargetView {
  @ApiProperty()
  upstream!: string;

  @ApiProperty({ description: 'What the upstream calls it.' })
  model!: string;

  @ApiProperty({ type: 'integer' })
  priority!: number;

  @ApiProperty()
  weight!: number;

  @ApiProperty()
  live!: boolean;

  @ApiProperty({
    type: String,
    enum: ASIDE_REASONS,
    nullable: true,
    description: 'Why it is set aside; null: it is not, or not with all its keys.',
  })
  asideReason!: (typeof ASIDE_REASONS)[number] | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until when it is set aside, in the process that answers.',
  })
  asideUntil!: string | null;

  @ApiProperty({ type: SeenByView, nullable: true, description: 'Who found that out; null: the process that answers.' })
  asideBy!: SeenByView | null;

  @ApiProperty({
    type: [TargetKeyView],
    description: 'How it stands with each key; empty: its upstream has no several.',
  })
  keys!: TargetKeyView[];
}

/** A model of models.yaml. */
export class CatalogModelView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  displayName!: string;

  @ApiProperty()
  tier!: string;

  @ApiProperty({ description: 'False: nobody has said what it costs, so its calls count as $0.' })
  hasPrice!: boolean;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'The share of its input tokens in the last 24 hours that came from the cache of a provider.',
  })
  cachedShare!: number | null;

  @ApiProperty({ type: [ModelTargetView] })
  targets!: ModelTargetView[];

  @ApiProperty({ enum: MODEL_STATES, description: 'A hidden one is not listed and cannot be called.' })
  state!: (typeof MODEL_STATES)[number];
}

export class UpstreamsView {
  @ApiProperty({ description: 'The file that names the upstreams.' })
  upstreamsFile!: string;

  @ApiProperty({ description: 'The file that names the models.' })
  modelsFile!: string;

  @ApiProperty({ type: [UpstreamView] })
  upstreams!: UpstreamView[];

  @ApiProperty({ type: [CatalogModelView] })
  models!: CatalogModelView[];

  @ApiProperty({ type: SeenByView, description: 'The process that answers.' })
  seenBy!: SeenByView;
}

/** One tiny call. */
export class UpstreamCallView {
  @ApiProperty({ ...OPTIONAL_TEXT, description: 'Which of several keys it was made with.' })
  key!: string | null;

  @ApiProperty({ enum: KINDS })
  kind!: (typeof KINDS)[number];

  @ApiProperty()
  ok!: boolean;

  @ApiProperty({ ...OPTIONAL_TEXT, description: 'The public model id.' })
  model!: string | null;

  @ApiProperty({ ...OPTIONAL_INTEGER, description: 'Until the first piece of the answer.' })
  firstTokenMs!: number | null;

  @ApiProperty({ type: 'integer', description: 'Until the end, good or bad.' })
  ms!: number;

  @ApiProperty({ ...OPTIONAL_TEXT, description: 'As a client would be told it.' })
  error!: string | null;

  @ApiProperty({ ...OPTIONAL_TEXT, description: "The upstream's own words, or why it was not reached." })
  reason!: string | null;
}

export class UpstreamTestView {
  @ApiProperty()
  upstream!: string;

  @ApiProperty()
  ok!: boolean;

  @ApiProperty({ type: [UpstreamCallView] })
  calls!: UpstreamCallView[];
}
