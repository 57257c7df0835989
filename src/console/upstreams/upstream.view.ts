import { ApiProperty } from '@nestjs/swagger';
import { ModelHealthView } from '../models/model-health.service.js';
import { Integer, IntegerOrNull, NumberOrNull, TextOrNull, TimeOrNull, ViewOrNull } from '../shared/views.js';

const NO_LIMIT = 'Null: no limit.';

/** A provider's limit for one key of an upstream, or for one model with it, and its current use. */
export class UpstreamLimitView {
  @TextOrNull('The number or name of the key, if the upstream has several.')
  key!: string | null;

  @TextOrNull('The upstream’s name of the model; null for limits of the upstream.')
  model!: string | null;

  @IntegerOrNull(NO_LIMIT)
  requestsPerMinute!: number | null;

  @IntegerOrNull(NO_LIMIT)
  tokensPerMinute!: number | null;

  @IntegerOrNull(NO_LIMIT)
  concurrentCalls!: number | null;

  @NumberOrNull("Used part of this process's share of the requests, 0 to 1; null: no limit.")
  requests!: number | null;

  @NumberOrNull("Used part of this process's share of the tokens, 0 to 1; null: no limit.")
  tokens!: number | null;

  @NumberOrNull('Used part of the concurrent calls of all processes, 0 to 1; null: no limit.')
  calls!: number | null;

  @Integer('Calls that wait for it in the responding process.')
  waiting!: number;
}

const STATES = ['live', 'no_credential'] as const;
const HEALTHS = ['healthy', 'failing', 'unused', 'no_credential'] as const;
const MODEL_STATES = ['live', 'simulated', 'hidden'] as const;
const KINDS = ['json', 'stream'] as const;

/** Time limits, in ms. */
export class UpstreamClocksView {
  @Integer()
  connect!: number;

  @Integer()
  head!: number;

  @Integer()
  firstEvent!: number;

  @Integer()
  idle!: number;

  @Integer()
  total!: number;
}

export class UpstreamFailureView {
  @ApiProperty()
  at!: Date;

  @ApiProperty({ example: 'upstream_error' })
  code!: string;

  @IntegerOrNull("The upstream's own HTTP status.")
  status!: number | null;

  @TextOrNull("The first line of the upstream's message.")
  message!: string | null;

  @ApiProperty({ description: 'The public model id.' })
  model!: string;

  @ApiProperty()
  requestId!: string;
}

export class ServedModelView {
  @ApiProperty({ description: 'The public model id.' })
  id!: string;

  @ApiProperty({ description: 'The upstream’s name of it.' })
  upstreamModel!: string;
}

/** A credential that the gateway fetches from a cloud and renews. */
export class UpstreamCredentialView {
  @TextOrNull('Where it comes from; null: none was fetched so far.')
  source!: string | null;

  @TimeOrNull('Null: it does not end.')
  expiresAt!: Date | null;

  @ApiProperty({ description: 'False: the upstream is set aside.' })
  isValid!: boolean;

  @TimeOrNull('Since when it cannot be fetched; null: the last attempt worked.')
  failingSince!: Date | null;

  @TextOrNull('Why it cannot be fetched.')
  reason!: string | null;
}

/** An upstream of upstreams.yaml. */
export class UpstreamView {
  @ApiProperty({ description: 'Its key in upstreams.yaml.' })
  name!: string;

  @ApiProperty()
  protocol!: string;

  @ApiProperty({ description: 'Without its possibly secret parts.' })
  baseUrl!: string;

  @TextOrNull('The variable that sets the base URL; null: the file sets it.')
  baseUrlSetBy!: string | null;

  @ApiProperty({
    description: 'How requests are authenticated: none, bearer, header, or the name of a signature, such as sigv4.',
  })
  auth!: string;

  @ApiProperty({ enum: STATES, description: 'Whether it can be called, not whether it answers.' })
  state!: (typeof STATES)[number];

  @ApiProperty({
    enum: HEALTHS,
    description:
      'How it has answered in the last 24 hours: failing if at least half of its newest 20 attempts failed for reasons other than the request.',
  })
  health!: (typeof HEALTHS)[number];

  @Integer('Attempts of the last 24 hours, including retries.')
  attempts!: number;

  @Integer('How many of the attempts failed.')
  failures!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    example: [['OPENAI_API_KEY']],
    description: 'The variables that can set its credential: all variables of one of these groups.',
  })
  variables!: string[][];

  @ApiProperty({ type: [String], description: 'Those of the variables that are set.' })
  setVariables!: string[];

  @ViewOrNull(UpstreamCredentialView, 'The credential in the responding process; null: it has an API key or none.')
  credential!: UpstreamCredentialView | null;

  @ApiProperty()
  clocks!: UpstreamClocksView;

  @TextOrNull()
  apiVersion!: string | null;

  @TextOrNull()
  project!: string | null;

  @TextOrNull()
  location!: string | null;

  @ApiProperty({ type: [UpstreamLimitView], description: 'Its provider’s limits; empty if none are set.' })
  limits!: UpstreamLimitView[];

  @ApiProperty({ type: [ServedModelView] })
  models!: ServedModelView[];

  @TimeOrNull('In the last 24 hours.')
  lastSuccessAt!: Date | null;

  @ViewOrNull(UpstreamFailureView, 'In the last 24 hours.')
  lastError!: UpstreamFailureView | null;

  @ApiProperty({
    type: () => [UpstreamFaultView],
    description: 'Why it, or one of its keys, does not answer, until it answers again.',
  })
  faults!: UpstreamFaultView[];

  @NumberOrNull('The share of its input tokens of the last 24 hours that was read from a provider’s cache.')
  cachedShare!: number | null;
}

/** A refused credential, a spent account, a model that the provider lacks, or no connection. */
export class UpstreamFaultView {
  @TextOrNull('The number or name of the key, if the upstream has several.')
  key!: string | null;

  @ApiProperty({ description: 'The first failure after the last answer, looking back 7 days.' })
  since!: Date;

  @ApiProperty({ example: 'upstream_error' })
  code!: string;

  @IntegerOrNull("The upstream's HTTP status; null: there was no answer.")
  status!: number | null;

  @TextOrNull("The first line of the upstream's message.")
  message!: string | null;
}

const ASIDE_REASONS = ['failing', 'limited', 'refused', 'credential'] as const;

export class FailingUpstreamView {
  @ApiProperty()
  name!: string;

  @Integer('Calls of the last 24 hours that show how it answers.')
  attempts!: number;

  @Integer()
  failures!: number;

  @TextOrNull('Of the last failure.')
  code!: string | null;

  @ApiProperty({ type: [UpstreamFaultView], description: 'Why it does not answer, if that is known.' })
  faults!: UpstreamFaultView[];
}

/** A process of a gateway. */
export class SeenByView {
  @ApiProperty()
  host!: string;

  @Integer('Its id at the upstream.')
  process!: number;
}

/** A target with one of the keys of its upstream. */
export class TargetKeyView {
  @ApiProperty({ description: 'Its number in the environment, or its name in upstreams.yaml.' })
  name!: string;

  @ApiProperty({ enum: ASIDE_REASONS, nullable: true, description: 'Why it is set aside; null if it is not.' })
  asideReason!: (typeof ASIDE_REASONS)[number] | null;

  @TimeOrNull('Until when it is set aside in the responding process.')
  asideUntil!: Date | null;

  @ViewOrNull(SeenByView, 'The process that found out; null: this one.')
  asideBy!: SeenByView | null;
}

export class ModelTargetView {
  @ApiProperty()
  upstream!: string;

  @ApiProperty({ description: 'The upstream’s name of it.' })
  model!: string;

  @Integer()
  priority!: number;

  @ApiProperty()
  weight!: number;

  @ApiProperty()
  live!: boolean;

  @ApiProperty({
    enum: ASIDE_REASONS,
    nullable: true,
    description: 'Why it is set aside; null if it is not, or not with all its keys.',
  })
  asideReason!: (typeof ASIDE_REASONS)[number] | null;

  @TimeOrNull('Until when it is set aside in the responding process.')
  asideUntil!: Date | null;

  @ViewOrNull(SeenByView, 'The process that found out; null: this one.')
  asideBy!: SeenByView | null;

  @ApiProperty({
    type: [TargetKeyView],
    description: 'Its state with each key; empty if the upstream has only one.',
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

  @ApiProperty({ description: 'False: no price is configured, so its calls count as $0.' })
  hasPrice!: boolean;

  @NumberOrNull('The share of its input tokens of the last 24 hours that was read from a provider’s cache.')
  cachedShare!: number | null;

  @ApiProperty({ type: [ModelTargetView] })
  targets!: ModelTargetView[];

  @ViewOrNull(ModelHealthView, 'How it has answered recently.')
  health!: ModelHealthView | null;

  @ApiProperty({ enum: MODEL_STATES, description: 'A hidden one is not listed and cannot be called.' })
  state!: (typeof MODEL_STATES)[number];
}

export class UpstreamsView {
  @ApiProperty({ description: 'The file of the upstreams.' })
  upstreamsFile!: string;

  @ApiProperty({ description: 'The file of the models.' })
  modelsFile!: string;

  @ApiProperty({ type: [UpstreamView] })
  upstreams!: UpstreamView[];

  @ApiProperty({ type: [CatalogModelView] })
  models!: CatalogModelView[];

  @ApiProperty({ type: SeenByView, description: 'The responding process.' })
  seenBy!: SeenByView;
}

/** One small call. */
export class UpstreamCallView {
  @TextOrNull('The key that was used, if there are several.')
  key!: string | null;

  @ApiProperty({ enum: KINDS })
  kind!: (typeof KINDS)[number];

  @ApiProperty()
  ok!: boolean;

  @TextOrNull('The public model id.')
  model!: string | null;

  @IntegerOrNull('Until the first token.')
  firstTokenMs!: number | null;

  @Integer('Until the end of the call.')
  ms!: number;

  @TextOrNull('The error for clients.')
  error!: string | null;

  @TextOrNull("The upstream's message, or why it was not reached.")
  reason!: string | null;

  @TextOrNull('That the credential is not renewed, although it is still valid.')
  warning!: string | null;
}

export class UpstreamTestView {
  @ApiProperty()
  upstream!: string;

  @ApiProperty()
  ok!: boolean;

  @ApiProperty({ type: [UpstreamCallView] })
  calls!: UpstreamCallView[];
}
