import { formatNumber } from '../../kit/numbers';
import type { PlanHolder, PlanView, TierView } from './plans-api';

/** The users that a change of a plan's tiers affects, and how. */
export function changeText(plan: PlanView, chosen: readonly string[], tiers: readonly TierView[]): string {
  const users = plan.users === 1 ? '1 user is' : `${formatNumber(plan.users ?? 0)} users are`;
  const count = (ids: readonly string[]) =>
    tiers.filter(({ id }) => ids.includes(id)).reduce((sum, { models }) => sum + models, 0);
  const added = count(chosen.filter((id) => !plan.tiers.includes(id)));
  const lost = count(plan.tiers.filter((id) => !chosen.includes(id)));
  const changes = [added > 0 && `gain ${modelsText(added)}`, lost > 0 && `lose ${modelsText(lost)}`].filter(Boolean);
  const what = changes.length > 0 ? ` They ${changes.join(' and ')} within a second.` : '';
  return `${users} affected.${what}`;
}

function modelsText(count: number): string {
  return count === 1 ? '1 model' : `${formatNumber(count)} models`;
}

const SOURCES: Readonly<Record<string, string>> = {
  console: 'Console',
  cli: 'Command line',
  oidc: 'Single sign-on',
};

/** The source of a grant, in words. */
export function sourceText({ source }: PlanHolder): string {
  return SOURCES[source] ?? source;
}
