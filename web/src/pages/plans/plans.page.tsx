import { Button, SimpleGrid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { plansQuery } from '../../api/lists';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { notifyDone } from '../../kit/notify';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import { EditPlan } from './edit-plan';
import { type Grant, GrantPlan } from './grant-plan';
import { PlanCard } from './plan-card';
import { PlanHolders } from './plan-holders';
import { endPlan, type PlanHolder, type PlanView } from './plans-api';
import { RetirePlan } from './retire-plan';

export function PlansPage() {
  const query = useQuery(plansQuery);
  const [edited, setEdited] = useState<PlanView | 'new' | null>(null);
  const [retiring, setRetiring] = useState<PlanView | null>(null);
  const [grant, setGrant] = useState<Grant | null>(null);
  const [ended, setEnded] = useState<PlanHolder | null>(null);
  return (
    <Page
      title="Plans"
      description="A plan decides which models its users may call, and how much. A change takes effect within a second."
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

function EndPlan({ holder, onClose }: { holder: PlanHolder | null; onClose: () => void }) {
  const end = async () => {
    if (!holder) return;
    await endPlan(holder.userId);
    notifyDone(`The plan of ${holder.email} has ended`);
  };
  return (
    <ConfirmDialog
      opened={holder !== null}
      onClose={onClose}
      title="End the plan now?"
      confirmLabel="End plan"
      isDangerous
      onConfirm={end}
    >
      <strong>{holder?.email}</strong> is back on the default plan within a second; the keys go on working for its
      models. What was granted for a time to come ends, too.
    </ConfirmDialog>
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
