import { Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../api/client';
import type { components } from '../api/schema';
import { BudgetBars, RateBars } from '../kit/limit-bars';
import { QueryStates } from '../kit/states';

type Inherited = components['schemas']['InheritedLimitsView'];

/** Rates change every second. */
const REFRESH_MS = 5000;

function inheritedQuery(keyId: string) {
  return queryOptions({
    queryKey: ['key-limits', keyId],
    queryFn: ({ signal }) => unwrap(api.GET('/api/keys/{id}/limits', { params: { path: { id: keyId } }, signal })),
    refetchInterval: ({ state: { data } }) => (data?.some(({ rates }) => rates.length > 0) ? REFRESH_MS : false),
  });
}

const TITLES: Record<Inherited['scope'], string> = {
  plan: "From its owner's plan, for all keys of the owner",
  user: 'From its owner, for all keys of the owner',
  project: 'From its project, for all keys of the project',
};

interface InheritedLimitsProps {
  keyId: string;
  /** Only those of one scope. */
  scope?: string | null;
}

/** The limits that a key inherits, and what is left of each. */
export function InheritedLimits({ keyId, scope = null }: InheritedLimitsProps) {
  const query = useQuery(inheritedQuery(keyId));
  return (
    <QueryStates query={query}>
      {(limits) => {
        const shown = limits.filter((one) => scope === null || one.scope === scope);
        return shown.length === 0 ? (
          <Text size="sm" c="dimmed">
            It inherits no limits from its owner, the plan or a project.
          </Text>
        ) : (
          <Stack gap="lg">
            {shown.map((one) => (
              <Stack key={one.scope} gap="sm" role="group" aria-label={TITLES[one.scope]}>
                <Text size="sm" c="dimmed">
                  {TITLES[one.scope]}
                </Text>
                {one.budgets.length > 0 && <BudgetBars budgets={one.budgets} />}
                {one.rates.length > 0 && <RateBars rates={one.rates} />}
              </Stack>
            ))}
          </Stack>
        );
      }}
    </QueryStates>
  );
}
