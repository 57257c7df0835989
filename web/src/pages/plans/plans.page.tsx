import Plus from 'icon:plus';
import { Button, SimpleGrid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plansQuery } from '../../api/lists';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import type { Grant } from './grant-plan';
import { PlanCard } from './plan-card';
import { PlanHolders } from './plan-holders';
import type { PlanHolder, PlanView } from './plans-api';

const EditPlan = onDemand(
  () => import('./edit-plan').then((module) => module.EditPlan),
  ({ plan }) => plan !== null,
  { plan: null },
);
const RetirePlan = onDemand(
  () => import('./retire-plan').then((module) => module.RetirePlan),
  ({ plan }) => plan !== null,
  { plan: null },
);
const GrantPlan = onDemand(
  () => import('./grant-plan').then((module) => module.GrantPlan),
  ({ grant }) => grant !== null,
  { grant: null },
);
const EndPlan = onDemand(
  () => import('./end-plan').then((module) => module.EndPlan),
  ({ holder }) => holder !== null,
  { holder: null },
);

export function PlansPage() {
  const query = useQuery(plansQuery);
  const [edited, setEdited] = useState<PlanView | 'new' | null>(null);
  const [retiring, setRetiring] = useState<PlanView | null>(null);
  const [grant, setGrant] = useState<Grant | null>(null);
  const [ended, setEnded] = useState<PlanHolder | null>(null);
  return (
    <Page
      title="Plans"
      description="A plan determines which models its users can call, and how much. Changes take effect within a second."
      actions={
        <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setEdited('new')}>
          New plan
        </Button>
      }
    >
      <QueryStates query={query} skeleton={<PlansSkeleton />}>
        {({ plans, tiers }) => (
          <>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
              {plans.map((plan) => (
                <PlanCard
                  key={plan.id}
                  plan={plan}
                  onEdit={() => setEdited(plan)}
                  onGrant={() => setGrant({ plan, holder: null })}
                  onRetire={() => setRetiring(plan)}
                />
              ))}
            </SimpleGrid>
            {plans
              .filter(({ isDefault }) => !isDefault)
              .map((plan) => (
                <PlanHolders
                  key={plan.id}
                  plan={plan}
                  onGrant={() => setGrant({ plan, holder: null })}
                  onChangeEnd={(holder) => setGrant({ plan, holder })}
                  onEnd={setEnded}
                />
              ))}
            <EditPlan plan={edited} tiers={tiers} onClose={() => setEdited(null)} />
            <RetirePlan plan={retiring} onClose={() => setRetiring(null)} />
            <GrantPlan grant={grant} onClose={() => setGrant(null)} />
            <EndPlan holder={ended} onClose={() => setEnded(null)} />
          </>
        )}
      </QueryStates>
    </Page>
  );
}

function PlansSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Skeleton h={190} radius="lg" />
      <Skeleton h={190} radius="lg" />
    </SimpleGrid>
  );
}
