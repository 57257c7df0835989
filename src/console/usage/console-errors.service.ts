import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Session } from '../../accounts/user.types.js';
import { ErrorCausesService } from '../../usage/error-causes.service.js';
import type { ErrorCause } from '../../usage/usage.types.js';
import { ERROR_CODES } from '../docs/error-codes.js';
import { Integer, IntegerOrNull, TextOrNull } from '../shared/views.js';
import { UpstreamsViewService } from '../upstreams/upstreams-view.service.js';
import type { UsageRequestsQuery } from './usage-query.dto.js';
import { toRequestFilter, UsageScopeService } from './usage-scope.service.js';

export class ErrorCauseView {
  @ApiProperty({ enum: ['failed', 'refused'], description: 'Whether an upstream failed, or the gateway refused.' })
  kind!: ErrorCause['kind'];

  @TextOrNull()
  upstream!: string | null;

  @IntegerOrNull('Of a refused request, or of the provider’s answer.')
  status!: number | null;

  @ApiProperty({ example: 'upstream_error' })
  code!: string;

  @TextOrNull('Of the newest one: the message for the caller, or the first line of the provider’s.')
  message!: string | null;

  @Integer()
  count!: number;

  @Integer('How many users had it; requests with an unknown key have none.')
  users!: number;

  @ApiProperty({ type: [String], description: 'At most ten.' })
  models!: string[];

  @ApiProperty({ description: 'Of refused requests, the start of the hour.' })
  firstAt!: Date;

  @ApiProperty()
  lastAt!: Date;

  @TextOrNull('The id of the newest one; null if it is no longer stored.')
  lastId!: string | null;

  @TextOrNull('What removes the cause, as far as it is known.')
  remedy!: string | null;

  @ApiProperty({ description: 'Whether the upstream has not answered since; known to those who see upstreams.' })
  isOngoing!: boolean;
}

export class ErrorCausesView {
  @ApiProperty({ type: [ErrorCauseView], description: 'The most frequent first, at most 100.' })
  causes!: ErrorCauseView[];

  @Integer('The number of errors with other causes.')
  others!: number;
}

/** Errors by cause, with what removes each. */
@Injectable()
export class ConsoleErrorsService {
  constructor(
    private readonly errors: ErrorCausesService,
    private readonly scope: UsageScopeService,
    private readonly upstreams: UpstreamsViewService,
  ) {}

  async of(query: UsageRequestsQuery, session: Session): Promise<ErrorCausesView> {
    const filter = toRequestFilter(await this.scope.resolved(query, session, 'requests.read'), session);
    const [{ causes, others }, ongoing] = await Promise.all([
      this.errors.of(filter),
      session.rights.mayAll('upstreams.read') ? this.upstreams.faults() : null,
    ]);
    return {
      causes: causes.map((cause) => ({
        ...cause,
        remedy: remedyOf(cause, ongoing?.variables(cause.upstream ?? '') ?? null),
        isOngoing: ongoing?.isOngoing(cause) ?? false,
      })),
      others,
    };
  }
}

const REMEDIES: ReadonlyMap<string, string> = new Map(
  ERROR_CODES.filter(({ code }) => !code.startsWith('upstream_') && code !== 'internal_error').map(
    ({ code, remedy }) => [code, remedy],
  ),
);

/**
 * What removes a cause: in the upstream's settings for a failure of ours, else what the caller can do. `variables`: of its
 * credential; null for people who cannot change upstreams.
 */
export function remedyOf(
  { kind, upstream, status, code }: Pick<ErrorCause, 'kind' | 'upstream' | 'status' | 'code'>,
  variables: readonly string[] | null,
): string | null {
  if (variables === null) return ERROR_CODES.find((one) => one.code === code)?.remedy ?? null;
  if (kind === 'refused') return REMEDIES.get(code) ?? null;
  const set = variables.length > 0 ? `Set ${variables.join(' and ')} to a valid credential` : 'Renew the credential';
  switch (code) {
    case 'upstream_unreachable':
      return `Check the base URL of ${upstream}, the proxy and the firewall.`;
    case 'upstream_timeout':
      return 'Raise the time limits of the upstream, or add a second target or a fallback to the model.';
    case 'upstream_rate_limited':
      return 'Set the limits of the provider in upstreams.yaml, add a key, or add a fallback to the model.';
    case 'overloaded':
      return 'Add a second target or a fallback to the model.';
    case 'upstream_error':
      break;
    default:
      return REMEDIES.get(code) ?? null;
  }
  switch (status) {
    case 400:
    case 401:
    case 403:
      return `${upstream} refuses the gateway's credential. ${set}, with access to the model.`;
    case 402:
    case 429:
      return `The account at ${upstream} has no credit or quota left. Add some at the provider.`;
    case 404:
      return `${upstream} does not have the model or the path. Correct the target in models.yaml or the base URL.`;
    default:
      return null;
  }
}
