import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type PasswordLink, PasswordLinksService } from '../../accounts/password-links.service.js';
import { toAddress, toName } from '../../accounts/passwords.js';
import type { NewPerson, User } from '../../accounts/user.types.js';
import { UsersService } from '../../accounts/users.service.js';
import type { Actor } from '../../audit/audit.types.js';
import { PlanDefinitionsService } from '../../billing/plan-definitions.service.js';
import { PlansService } from '../../billing/plans.service.js';
import { UsageError } from '../../common/usage.error.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import type { InvitedUserDto, UserFaultView } from './user.view.js';

interface Invited {
  readonly user: User;
  /** Null if people sign in only with single sign-on. */
  readonly link: PasswordLink | null;
}

type Fault = UserFaultView;

/** Many people at once: all of them, or none. */
@Injectable()
export class UserBatchService {
  constructor(
    private readonly users: UsersService,
    private readonly links: PasswordLinksService,
    private readonly plans: PlansService,
    private readonly definitions: PlanDefinitionsService,
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Everything that prevents the creation, in the order of the rows; each fault names its field: `users[3].email`. */
  async faults(rows: readonly InvitedUserDto[]): Promise<Fault[]> {
    return (await this.check(rows)).faults;
  }

  /** In the order of the rows. Throws a `UsageError` that has every fault. */
  async create(rows: readonly InvitedUserDto[], actor: Actor): Promise<Invited[]> {
    const { people, faults } = await this.check(rows);
    if (faults.length > 0) throw faulty(faults);
    return this.dataSource.transaction(async (manager) => {
      const created = await this.users.createPeople(manager, people, actor).catch(async (error: unknown) => {
        // Somebody else has taken an address since the check.
        const since = await this.faults(rows);
        throw since.length > 0 ? faulty(since) : error;
      });
      const invited: Invited[] = [];
      for (const [at, user] of created.entries()) {
        const planId = rows[at]?.planId;
        const grant = { userId: user.id, planId: planId ?? '', until: null, source: 'console' };
        if (planId !== undefined) await this.plans.grantWithin(manager, grant, actor);
        const link = this.settings.signIn.local ? await this.links.createWithin(manager, user.id, actor) : null;
        invited.push({ user, link });
      }
      return invited;
    });
  }

  private async check(rows: readonly InvitedUserDto[]): Promise<{ people: NewPerson[]; faults: Fault[] }> {
    const faults: Fault[] = [];
    const people = rows.map(({ email, name = '', role = 'member' }, at): NewPerson => {
      const valid = <Value>(field: string, toValue: () => Value, fallback: Value): Value => {
        try {
          return toValue();
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          faults.push({ param: paramOf(at, field), message: error.message });
          return fallback;
        }
      };
      return { email: valid('email', () => toAddress(email), ''), name: valid('name', () => toName(name), ''), role };
    });
    const taken = await this.users.takenAmong(people.map(({ email }) => email));
    const plans = new Map((await this.definitions.list()).map((plan) => [plan.id, plan]));
    const first = new Map<string, number>();
    for (const [at, { email }] of people.entries()) {
      const before = first.get(email);
      if (email !== '' && before !== undefined) {
        faults.push({ param: paramOf(at, 'email'), message: `${email} is also users[${before}].` });
      }
      if (before === undefined) first.set(email, at);
      if (taken.has(email)) {
        const message = `There is already a user with the e-mail address ${email}.`;
        faults.push({ param: paramOf(at, 'email'), message });
      }
      const planId = rows[at]?.planId;
      const fault = planId === undefined ? null : planFault(planId, plans.get(planId));
      if (fault !== null) faults.push({ param: paramOf(at, 'planId'), message: fault });
    }
    const rowOf = ({ param }: Fault) => Number(/\d+/.exec(param)?.[0]);
    return { people, faults: faults.toSorted((a, b) => rowOf(a) - rowOf(b)) };
  }
}

/** The same words as for a single grant. */
function planFault(id: string, plan: { isDefault: boolean; isRetired: boolean } | undefined): string | null {
  if (!plan) return `There is no plan '${id}'.`;
  if (plan.isDefault) return `Every user has the plan '${id}' by default; it cannot be granted.`;
  return plan.isRetired ? `The plan '${id}' is retired.` : null;
}

function paramOf(at: number, field: string): string {
  return `users[${at}].${field}`;
}

function faulty(faults: readonly Fault[]): UsageError {
  const lines = faults.map(({ param, message }) => `${param}: ${message}`);
  return new UsageError(`No user was created.\n${lines.join('\n')}`, faults[0]?.param ?? null);
}
