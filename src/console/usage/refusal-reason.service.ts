import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../auth/api-key.types.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { PlanDefinitionsService } from '../../billing/plan-definitions.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { NotFoundError } from '../../common/usage.error.js';
import type { LimitScope } from '../../limits/values/limit-values.js';
import { CatalogService } from '../../models/catalog.service.js';
import { ERROR_CODES } from '../docs/error-codes.js';
import type { CallDetail, RefusalReasonView } from './usage-call.view.js';

type Refused = Pick<
  CallDetail,
  'status' | 'errorCode' | 'message' | 'model' | 'keyId' | 'userId' | 'clientAddress' | 'keyDisplay'
>;

type Reason = Pick<RefusalReasonView, 'sentence' | 'scope'>;

/** "The limit of the project is 5 requests a minute.", "The budget of the key for the month is used up." */
const LIMITED_SCOPE = /\bof the (plan|user|key|project)\b/;

@Injectable()
export class RefusalReasonService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly plans: PlansService,
    private readonly definitions: PlanDefinitionsService,
    private readonly keys: ApiKeysService,
  ) {}

  /** As of now; null for requests that were not refused. */
  async of(call: Refused): Promise<RefusalReasonView | null> {
    const { status, errorCode, message } = call;
    if (status !== 'refused' || errorCode === null) return null;
    const known = ERROR_CODES.find(({ code }) => code === errorCode);
    const sentence = message ?? known?.meaning ?? errorCode;
    const reason = (await this.reasonOf(call, errorCode)) ?? { sentence, scope: null };
    return { ...reason, remedy: known?.remedy ?? null };
  }

  private async reasonOf(call: Refused, code: string): Promise<Reason | null> {
    switch (code) {
      case 'model_not_found':
        return this.ofModel(call);
      case 'rate_limit_exceeded':
      case 'insufficient_quota': {
        const scope = LIMITED_SCOPE.exec(call.message ?? '')?.[1] ?? null;
        return call.message === null ? null : { sentence: call.message, scope: scope as LimitScope | null };
      }
      case 'invalid_api_key':
        return ofKey(await this.keyOf(call));
      case 'ip_not_allowed': {
        const addresses = (await this.keyOf(call))?.addresses ?? [];
        const from = call.clientAddress === null ? '' : `, and the request came from ${call.clientAddress}`;
        return { sentence: `The key may be used from ${addresses.join(', ')} only${from}.`, scope: 'key' };
      }
      default:
        return null;
    }
  }

  private async ofModel(call: Refused): Promise<Reason | null> {
    const { model: name, userId } = call;
    if (name === '' || userId === null) return null;
    const model = this.catalog.find(name);
    if (!model) return { sentence: `The catalog has no model ${name}.`, scope: null };
    const [{ plan }, plans, key] = await Promise.all([
      this.plans.current(userId),
      this.definitions.list(),
      this.keyOf(call),
    ]);
    const obstacle = this.catalog.obstacleTo(plan, model);
    if (obstacle === 'plan') {
      const having = plans.filter(({ id, tiers, models }) => {
        const contents = { id, tiers: new Set(tiers), models: new Set(models) };
        return this.catalog.obstacleTo(contents, model) !== 'plan';
      });
      const own = plans.find(({ id }) => id === plan.id)?.name ?? plan.id;
      const others = having.length > 0 ? ` It is in: ${having.map((one) => one.name).join(', ')}.` : '';
      return { sentence: `The plan ${own} does not include ${name}.${others}`, scope: 'plan' };
    }
    if (obstacle === 'no_credential') {
      return { sentence: `No provider of ${name} is connected, so nobody can call it.`, scope: null };
    }
    if (key?.models && ![model.id, ...model.aliases].some((one) => key.models?.includes(one))) {
      return { sentence: `The key may call ${key.models.join(', ')} only.`, scope: 'key' };
    }
    return { sentence: `${name} can be called now; it could not when the request was refused.`, scope: null };
  }

  private async keyOf({ keyId }: Refused): Promise<ApiKey | null> {
    if (keyId === null) return null;
    return this.keys.get({ id: keyId }).catch((error) => {
      if (error instanceof NotFoundError) return null;
      throw error;
    });
  }
}

function ofKey(key: ApiKey | null): Reason {
  if (key === null) return { sentence: 'No key has the secret that was sent.', scope: null };
  const { status, expiresAt, revokedAt, disabledBy } = key;
  const on = (at: Date | null) => (at === null ? '' : ` on ${at.toISOString().slice(0, 10)}`);
  switch (status) {
    case 'expired':
      return { sentence: `The key expired${on(expiresAt)}.`, scope: 'key' };
    case 'revoked':
      return { sentence: `The key was revoked${on(revokedAt)}.`, scope: 'key' };
    case 'disabled':
      return {
        sentence: `The key is disabled by ${disabledBy === 'owner' ? 'its owner' : 'an administrator'}.`,
        scope: 'key',
      };
    case 'active':
      return { sentence: 'The key works now; the secret that was sent is not its current one.', scope: 'key' };
  }
}
