import { z } from 'zod';
import { toAddress, toName } from '../accounts/passwords.js';
import { PROJECT_ROLES, toProjectName } from '../accounts/project.types.js';
import { keyRules } from '../auth/api-key.rules.js';
import { DEFAULT_PLAN } from '../billing/plan.types.js';
import { planRules } from '../billing/plan-definitions.service.js';
import { cacheText, toCacheSeconds } from '../cache/cache-settings.service.js';
import { toInstant } from '../common/text.js';
import { UsageError } from '../common/usage.error.js';
import { type Fault, parseYaml } from '../config/config-file.js';
import { keyOf, mistakesOf, problemOf } from '../config/schema-faults.js';
import { toLimitChange } from '../limits/values/limit-values.js';
import { type Entity, entity, type Fields, type FieldValue, ownerOfKey, shownLimits } from './company.js';

/** A mistake in the file: where, and the problem with its remedy. */
export interface Mistake {
  readonly path: string;
  readonly line: number | null;
  readonly problem: string;
}

/** Reports a mistake at a path of the file. */
export type Report = (path: readonly PropertyKey[], problem: string) => void;

export interface CompanyFile {
  /** Owners come before what belongs to them. */
  readonly entities: readonly Entity[];
  readonly mistakes: Mistake[];
  readonly report: Report;
}

/** An entry such as `search:` without anything below it. */
const entry = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((value) => value ?? {}, schema);

const amount = z.union([z.number(), z.string(), z.null()], { error: 'must be a number, or null for no limit' });
const limits = z.strictObject({
  requestsPerMinute: amount.optional(),
  tokensPerMinute: amount.optional(),
  concurrentCalls: amount.optional(),
  budgetDayUsd: amount.optional(),
  budgetMonthUsd: amount.optional(),
  budgetTotalUsd: amount.optional(),
});

const instant = z.string().transform((text, context) => {
  const date = toInstant(text);
  if (date) return date.toISOString();
  context.addIssue({
    code: 'custom',
    message: 'must be a date such as 2027-06-30, or a time such as 2027-06-30T12:00:00Z',
  });
  return z.NEVER;
});

const names = z.array(z.string());
const unique = names.max(1000).transform((list) => [...new Set(list)]);
const grantedPlan = z.union([z.string(), z.null(), z.record(z.string(), instant.nullable())], {
  error: 'must be the id of a plan, null, or an object such as { pro: 2027-06-30 }',
});

const cache = z.string().transform((text, context) => {
  try {
    return cacheText(toCacheSeconds(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'must be a duration such as 1h, none, or default' });
    return z.NEVER;
  }
});

const key = z.strictObject({
  id: z.uuid().optional(),
  name: z.string().optional(),
  serviceAccount: z.string().optional(),
  note: z.string().optional(),
  models: unique.nullable().optional(),
  addresses: unique.nullable().optional(),
  expires: instant.nullable().optional(),
  disabled: z.boolean().optional(),
  contentLog: z.boolean().optional(),
  cache: cache.optional(),
  guards: unique.optional(),
  limits: limits.optional(),
  /** Only for the command, which writes the secret of a new key there. */
  secretFile: z.string().optional(),
});
const keys = z.record(z.string(), entry(key));
const account = z.strictObject({ disabled: z.boolean().optional(), limits: limits.optional() });

const company = entry(
  z.strictObject({
    plans: z
      .record(
        z.string(),
        entry(
          z.strictObject({
            name: z.string().optional(),
            tiers: unique.optional(),
            models: unique.optional(),
            rank: z.int().optional(),
            retired: z.boolean().optional(),
            guards: unique.optional(),
            limits: limits.optional(),
          }),
        ),
      )
      .nullish(),
    users: z
      .record(
        z.string(),
        entry(
          z.strictObject({
            name: z.string().optional(),
            kind: z.enum(['person', 'service']).optional(),
            role: z.enum(['admin', 'member']).optional(),
            disabled: z.boolean().optional(),
            plan: grantedPlan.optional(),
            limits: limits.optional(),
            keys: keys.nullish(),
          }),
        ),
      )
      .nullish(),
    projects: z
      .record(
        z.string(),
        entry(
          z.strictObject({
            plan: grantedPlan.optional(),
            contentLog: z.boolean().optional(),
            cache: cache.optional(),
            guards: unique.optional(),
            limits: limits.optional(),
            members: z.record(z.string(), z.enum(PROJECT_ROLES)).nullish(),
            serviceAccounts: z
              .union([names, z.record(z.string(), entry(account))], { error: 'must be a list of names, or an object' })
              .nullish(),
            keys: keys.nullish(),
          }),
        ),
      )
      .nullish(),
  }),
);

type Content = z.output<typeof company>;
type KeyEntries = z.output<typeof keys>;
type Path = readonly PropertyKey[];

/** Reads the text of a file, YAML or JSON, with all of its mistakes. */
export function readCompanyFile(text: string): CompanyFile {
  const faults: Fault[] = [];
  const { content, lineOf } = parseYaml(text, '', faults);
  const mistakes: Mistake[] = faults.map(({ key: path, line, problem }) => ({ path, line, problem }));
  const report: Report = (path, problem) => mistakes.push({ path: keyOf(path), line: lineOf(path), problem });
  if (faults.length > 0) return { entities: [], mistakes, report };
  const result = company.safeParse(content, { error: problemOf });
  if (result.success) return { entities: new Reader(report).read(result.data), mistakes, report };
  const wrong = result.error.issues.flatMap(mistakesOf);
  for (const [path, problem] of wrong) report(path, problem);
  // The rest may have other mistakes.
  const rest = company.safeParse(
    wrong.reduce((whole, [path]) => without(whole, path, path.length > 2), content),
    { error: problemOf },
  );
  return { entities: rest.success ? new Reader(report).read(rest.data) : [], mistakes, report };
}

/** Without the value at a path, or with nothing there: a user whose entry is wrong is still named. */
function without(value: unknown, [first, ...rest]: readonly PropertyKey[], isLeftOut: boolean): unknown {
  if (first === undefined) return null;
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => (index !== first ? [one] : rest.length > 0 ? [without(one, rest, true)] : []));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, one]) => {
    if (key !== first) return [[key, one]];
    return rest.length === 0 && isLeftOut ? [] : [[key, without(one, rest, isLeftOut)]];
  });
  return Object.fromEntries(entries);
}

/** What the file names, each once. */
class Reader {
  private readonly found = new Map<string, Entity>();

  constructor(private readonly report: Report) {}

  read({ plans, users, projects }: Content): Entity[] {
    for (const [id, { limits: amounts, ...fields }] of Object.entries(plans ?? {})) {
      const path = ['plans', id];
      this.check(path, () => planRules.id(id));
      const name = this.checked([...path, 'name'], fields.name, planRules.name);
      this.add(entity('plan', id, null, { ...fields, name, ...this.limits(path, 'plan', amounts) }, { path }));
    }
    for (const [email, { keys: own, plan, limits: amounts, ...fields }] of Object.entries(users ?? {})) {
      const path = ['users', email];
      const address = this.check(path, () => toAddress(email)) ?? email;
      const name = this.checked([...path, 'name'], fields.name, toName);
      const values = { ...fields, name, plan: planField(plan), ...this.limits(path, 'user', amounts) };
      const user = this.add(entity('user', address, null, values, { path }));
      this.keys([...path, 'keys'], own, user);
    }
    for (const [name, { keys: own, plan, limits: amounts, members, serviceAccounts, ...fields }] of Object.entries(
      projects ?? {},
    )) {
      const path = ['projects', name];
      const checked = this.check(path, () => toProjectName(name)) ?? name;
      const values = { ...fields, plan: planField(plan), ...this.limits(path, 'project', amounts) };
      const project = this.add(entity('project', checked, null, values, { path }));
      for (const [email, role] of Object.entries(members ?? {})) {
        const at = [...path, 'members', email];
        const address = this.check(at, () => toAddress(email)) ?? email;
        this.add(entity('member', address, project, { role }, { path: at }));
      }
      for (const [index, [label, { limits: most, disabled }]] of accountsOf(serviceAccounts).entries()) {
        const at = [...path, 'serviceAccounts', Array.isArray(serviceAccounts) ? index : label];
        const named = this.check(at, () => toName(label)) ?? label;
        if (named === '') this.report(at, 'must have a name');
        this.add(
          entity('service account', named, project, { disabled, ...this.limits(at, 'user', most) }, { path: at }),
        );
      }
      this.keys([...path, 'keys'], own, project);
    }
    return [...this.found.values()];
  }

  private keys(path: Path, entries: KeyEntries | null | undefined, holder: Entity): void {
    for (const [
      label,
      { id, name = label, serviceAccount, limits: amounts, secretFile: _, ...fields },
    ] of Object.entries(entries ?? {})) {
      const at = [...path, label];
      if (serviceAccount !== undefined && holder.kind === 'user') {
        this.report([...at, 'serviceAccount'], 'is only for keys of projects: leave it out');
      }
      const named = this.check(name === label ? at : [...at, 'name'], () => keyRules.name(name)) ?? name;
      const note = this.checked([...at, 'note'], fields.note, keyRules.note);
      const checked = {
        models: this.checked([...at, 'models'], fields.models, keyRules.models),
        addresses: this.checked([...at, 'addresses'], fields.addresses, keyRules.addresses),
      };
      const values = { ...fields, note, ...checked, ...this.limits(at, 'key', amounts) };
      this.add(entity('key', named, ownerOfKey(holder, serviceAccount), values, { path: at, ...(id && { id }) }));
    }
  }

  private add(found: Entity): Entity {
    const other = this.found.get(found.key);
    if (other) this.report(found.path, `is the same as ${keyOf(other.path)}: leave one of them out`);
    this.found.set(found.key, found);
    return found;
  }

  private limits(path: Path, scope: 'plan' | 'user' | 'project' | 'key', inputs: z.output<typeof limits> = {}): Fields {
    const entries = Object.entries(inputs).map(([name, input]) => {
      const at = [...path, 'limits', name];
      const change = this.check(at, () =>
        toLimitChange({ [name]: input }, { allowsPlan: scope === 'user', fieldOf: () => 'it' }),
      );
      if (scope === 'plan' && name === 'budgetTotalUsd' && input !== null) {
        this.report(at, 'is not for plans, which have daily and monthly budgets only');
      }
      return shownLimits(change ?? {});
    });
    return Object.assign({}, ...entries);
  }

  private checked<Value, Result>(path: Path, value: Value | undefined, rule: (value: Value) => Result) {
    return value === undefined ? undefined : this.check(path, () => rule(value));
  }

  private check<Result>(path: Path, rule: () => Result): Result | undefined {
    try {
      return rule();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.report(path, `is not valid: ${error.message}`);
      return undefined;
    }
  }
}

function accountsOf(
  accounts: readonly string[] | Record<string, z.output<typeof account>> | null | undefined,
): [string, z.output<typeof account>][] {
  return Array.isArray(accounts) ? accounts.map((name) => [name, {}]) : Object.entries(accounts ?? {});
}

/** Plans granted by hand → the end; the default plan is what a user without any has. */
function planField(plan: z.output<typeof grantedPlan> | undefined): FieldValue | undefined {
  if (plan === undefined) return undefined;
  const granted = typeof plan === 'string' ? { [plan]: null } : (plan ?? {});
  const entries = Object.entries(granted).filter(([id]) => id !== DEFAULT_PLAN);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
