import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { QueryStates } from '../../kit/query-states';
import { Refusal } from '../../kit/refusal';
import { formatDate } from '../../kit/times';

type Payments = components['schemas']['PaymentsView'];
type PaidPlan = Payments['paid'][number];

const paymentsQuery = queryOptions({
  queryKey: ['payments'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/payments', { signal })),
});

/** Plans that the person bought or can buy. */
export function PaidPlans() {
  const payments = useQuery(paymentsQuery);
  return (
    <QueryStates query={payments} skeleton={<Skeleton h={36} maw={420} />}>
      {(data) => <Plans payments={data} />}
    </QueryStates>
  );
}

function Plans({ payments: { offers, paid } }: { payments: Payments }) {
  const checkout = useMutation({
    mutationFn: (planId: string) => unwrap(api.POST('/api/payments/checkout', { body: { planId } })),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const portal = useMutation({
    mutationFn: () => unwrap(api.POST('/api/payments/portal')),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const isLeaving = checkout.isPending || portal.isPending || checkout.isSuccess || portal.isSuccess;
  const running = paid.filter((plan) => plan.running);
  const nameOf = (planId: string) => offers.find((offer) => offer.planId === planId)?.name ?? planId;
  return (
    <Stack gap="md">
      <Refusal error={checkout.error ?? portal.error} />
      {running.length === 0 && <Text size="sm">You have no paid plan.</Text>}
      {running.map((plan) => (
        <Text key={plan.planId} size="sm">
          <b>{nameOf(plan.planId)}</b> {stateOf(plan)}
        </Text>
      ))}
      <Group gap="sm">
        {offers
          .filter(({ planId }) => !running.some((plan) => plan.planId === planId))
          .map(({ planId, name }) => (
            <Button key={planId} loading={isLeaving} onClick={() => checkout.mutate(planId)}>
              Buy {name}
            </Button>
          ))}
        {paid.length > 0 && (
          <Button variant="default" loading={isLeaving} onClick={() => portal.mutate()}>
            Manage payments
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function stateOf({ status, paidUntil, ends }: PaidPlan): string {
  if (status === 'past_due' || status === 'unpaid') return '– the last payment failed: open “Manage payments”.';
  if (paidUntil === null) return '– waits for its first payment.';
  if (new Date(paidUntil) <= new Date()) {
    return `– not paid since ${formatDate(new Date(paidUntil))}: open “Manage payments”.`;
  }
  return ends
    ? `until ${formatDate(new Date(paidUntil))}; it then ends.`
    : `– renews on ${formatDate(new Date(paidUntil))}.`;
}
