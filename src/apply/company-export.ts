import type { FieldValue } from './company.js';
import { defaultOf } from './company-plan.js';
import type { CompanyState, Present } from './company-state.js';

type Values = Readonly<Record<string, unknown>>;

/** What a file says of the present state: fields that have their default are left out, and keys that ended. */
export function toCompanyFile({ entities }: CompanyState): Values {
  const of = (kind: Present['kind'], owner?: Present) =>
    entities.filter((one) => one.kind === kind && (owner === undefined || one.owner?.key === owner.key));
  const byOwner = Map.groupBy(entities.filter(isShownKey), ({ owner }) => owner?.key ?? '');
  const sameName = Map.groupBy(entities, ({ key }) => key);
  const keysOf = (holder: Present, accounts: readonly Present[] = []) => {
    const labels = new Map<string, Values>();
    for (const owner of [holder, ...accounts]) {
      for (const key of byOwner.get(owner.key) ?? []) {
        const { id, name } = key;
        const isAmbiguous = (sameName.get(key.key)?.length ?? 0) > 1;
        let label = name;
        for (let count = 2; labels.has(label); count++) label = `${name} (${count})`;
        labels.set(label, {
          ...(label !== name && { name }),
          ...(isAmbiguous && { id }),
          ...(owner !== holder && { serviceAccount: owner.name }),
          ...shown(key),
        });
      }
    }
    return labels.size === 0 ? {} : { keys: Object.fromEntries(labels) };
  };
  const plans = of('plan').map((plan) => [plan.name, shown(plan)]);
  const users = of('user').filter(({ isForgotten }) => !isForgotten);
  const projects = of('project').map((project) => {
    const members = of('member', project).map(({ name, fields: { role } }) => [name, role]);
    const accounts = of('service account', project);
    return [
      project.name,
      {
        ...shown(project),
        ...(members.length > 0 && { members: Object.fromEntries(members) }),
        ...(accounts.length > 0 && {
          serviceAccounts: Object.fromEntries(accounts.map((one) => [one.name, shown(one)])),
        }),
        ...keysOf(project, accounts),
      },
    ];
  });
  return {
    plans: Object.fromEntries(plans),
    ...(users.length > 0 && {
      users: Object.fromEntries(users.map((user) => [user.name, { ...shown(user), ...keysOf(user) }])),
    }),
    ...(projects.length > 0 && { projects: Object.fromEntries(projects) }),
  };
}

function isShownKey({ kind, fields: { expires } }: Present): boolean {
  return kind === 'key' && (typeof expires !== 'string' || Date.parse(expires) > Date.now());
}

/** The fields with their limits in an object of their own. */
function shown(one: Present): Values {
  const values: Record<string, unknown> = {};
  const limits: Record<string, FieldValue> = {};
  for (const [field, value] of Object.entries(one.fields)) {
    if (value === undefined || JSON.stringify(value) === JSON.stringify(defaultOf(one, field))) continue;
    if (field.startsWith('limits.')) limits[field.slice('limits.'.length)] = value;
    else values[field] = field === 'plan' ? shownPlan(value) : value;
  }
  return Object.keys(limits).length === 0 ? values : { ...values, limits };
}

function shownPlan(value: FieldValue): FieldValue {
  const [[id, until] = ['', null], ...others] = Object.entries(value ?? {}) as [string, string | null][];
  return others.length === 0 && until === null ? id : value;
}
