import ShieldCheck from 'icon:shield-check';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { CodeBlock } from '../../kit/code-block';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { formatNumber, plural } from '../../kit/numbers';
import { Page, Section, TextLink } from '../../kit/page';
import { EmptyState } from '../../kit/states';
import { GUARD_ACTION_LABELS } from '../../kit/words';
import { GuardTrial } from './guard-trial';

type Guards = components['schemas']['GuardsView'];
type Guard = components['schemas']['GuardView'];
type Hit = components['schemas']['GuardHitView'];

const guardsQuery = queryOptions({
  queryKey: ['guards'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/guards', { signal })),
});

const EXAMPLE = `# gateway.yaml
guards:
  secrets:
    detect: [credentials]
    do: block
  personal:
    detect: [email, phone]
    on: [request, answer]
    do: mask
guardsForAll: [secrets]`;

const SIDES: Record<string, string> = { request: 'Requests', answer: 'Answers' };
const ACTIONS = { block: 'Block', mask: 'Mask', report: 'Report' };

const DEFINITIONS: Column<Guard>[] = [
  {
    key: 'name',
    header: 'Guard',
    onCard: 'title',
    sortValue: ({ name }) => name,
    cell: ({ name, line }) => (
      <Stack gap={0}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          gateway.yaml{line !== null && `, line ${line}`}
        </Text>
      </Stack>
    ),
  },
  { key: 'do', header: 'Action', sortValue: (one) => one.do, cell: (one) => ACTIONS[one.do] },
  { key: 'on', header: 'Checks', cell: ({ on }) => on.map((side) => SIDES[side]).join(', ') },
  {
    key: 'detects',
    header: 'Looks for',
    cell: ({ detects, service, serviceAddress }) =>
      service === null ? (
        <span style={{ overflowWrap: 'anywhere' }}>{detects.join(', ')}</span>
      ) : (
        <Stack gap={0}>
          {`What the ${service} service decides`}
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {serviceAddress}
          </Text>
        </Stack>
      ),
  },
];

/** Where a guard applies: to all calls, or to those of a model, a plan, a project or a key. */
interface Place {
  guard: string;
  kind: 'all' | 'model' | 'plan' | 'project' | 'key';
  id: string;
  name: string;
  isDefined: boolean;
}

function placesOf({ guards, assignments }: Guards): Place[] {
  const defined = new Set(guards.map(({ name }) => name));
  const ofFiles = guards.flatMap(({ name: guard, forAll, models }): Place[] => [
    ...(forAll ? [{ guard, kind: 'all' as const, id: '', name: 'All calls', isDefined: true }] : []),
    ...models.map((id) => ({ guard, kind: 'model' as const, id, name: id, isDefined: true })),
  ]);
  const assigned = assignments.flatMap(({ kind, id, name, guards: names }) =>
    names.map((guard): Place => ({ guard, kind, id, name, isDefined: defined.has(guard) })),
  );
  return [...ofFiles, ...assigned];
}

const KINDS = { all: 'Everyone', model: 'Model', plan: 'Plan', project: 'Project', key: 'API key' };

const PLACES: Column<Place>[] = [
  {
    key: 'name',
    header: 'Name',
    onCard: 'title',
    sortValue: ({ name }) => name,
    cell: (place) => <PlaceLink {...place} />,
  },
  { key: 'kind', header: 'Set for', sortValue: ({ kind }) => KINDS[kind], cell: ({ kind }) => KINDS[kind] },
  {
    key: 'guard',
    header: 'Guard',
    sortValue: ({ guard }) => guard,
    cell: ({ guard, isDefined }) => (
      <Group gap={6}>
        {guard}
        {!isDefined && <Badge color="red">Not in gateway.yaml: calls are refused</Badge>}
      </Group>
    ),
  },
];

function PlaceLink({ kind, id, name }: Place) {
  const look = { inherit: true, style: { overflowWrap: 'anywhere' } } as const;
  switch (kind) {
    case 'all':
      return name;
    case 'model':
      return (
        <TextLink to="/models/$" params={{ _splat: id }} {...look}>
          {name}
        </TextLink>
      );
    case 'plan':
      return (
        <TextLink to="/plans" {...look}>
          {name}
        </TextLink>
      );
    case 'project':
      return (
        <TextLink to="/projects/$id" params={{ id }} {...look}>
          {name}
        </TextLink>
      );
    case 'key':
      return (
        <TextLink to="/keys/$id" params={{ id }} {...look}>
          {name}
        </TextLink>
      );
  }
}

const placeText = ({ guard, kind, name }: Place) => `${guard} ${KINDS[kind]} ${name}`;

const HITS: Column<Hit>[] = [
  { key: 'guard', header: 'Guard', onCard: 'title', sortValue: ({ guard }) => guard, cell: ({ guard }) => guard },
  { key: 'kind', header: 'Found', sortValue: ({ kind }) => kind, cell: ({ kind }) => kind },
  { key: 'action', header: 'Action', cell: ({ action }) => GUARD_ACTION_LABELS[action] },
  { key: 'side', header: 'In', cell: ({ side }) => SIDES[side] },
  {
    key: 'count',
    header: 'Times',
    align: 'right',
    sortValue: ({ count }) => count,
    cell: ({ count }) => formatNumber(count),
  },
];

/** The guards of gateway.yaml, where they apply, and what they found. */
export function GuardsPage() {
  const query = useQuery(guardsQuery);
  const places = useQuery({ ...guardsQuery, select: placesOf });
  const definitions = useQuery({ ...guardsQuery, select: ({ guards }) => guards });
  const hits = useQuery({ ...guardsQuery, select: (data) => data.hits });
  const isEmpty = query.data && query.data.guards.length + (places.data?.length ?? 0) === 0;
  const total = hits.data?.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <Page
      title="Guards"
      description="Guards check the text of requests and answers, and block, mask or report what they find. They are defined in gateway.yaml."
    >
      {isEmpty ? (
        <NoGuards />
      ) : (
        <Stack gap="xl">
          <Section title="Definitions">
            <DataTable
              label="guards"
              query={definitions}
              columns={DEFINITIONS}
              rowKey={({ name }) => name}
              rowLabel={({ name }) => name}
              empty={<Text p="md">gateway.yaml has no guards.</Text>}
            />
          </Section>
          {query.data && (
            <>
              <Section title="Where they apply">
                <DataTable
                  label="Where guards apply"
                  query={places}
                  columns={PLACES}
                  rowKey={({ guard, kind, id }) => `${guard} ${kind} ${id}`}
                  rowLabel={placeText}
                  searchText={placeText}
                  searchLabel="Search guards, plans, projects and keys"
                  urlPrefix="at-"
                  empty={
                    <Text p="md" size="sm" c="dimmed">
                      Nowhere yet. Add guards to guardsForAll or to a model, or to a plan, a project or a key in the
                      console.
                    </Text>
                  }
                />
              </Section>
              <Section
                title="Found in the last 30 days"
                aside={
                  total > 0 && (
                    <Text size="sm" c="dimmed">
                      {plural(total, 'finding')}
                    </Text>
                  )
                }
              >
                <DataTable
                  label="What guards found"
                  query={hits}
                  columns={HITS}
                  rowKey={({ guard, kind, action, side }) => `${guard} ${kind} ${action} ${side}`}
                  rowLabel={({ guard, kind }) => `${guard} ${kind}`}
                  defaultSort={{ key: 'count', descending: true }}
                  urlPrefix="hit-"
                  empty={
                    <Text p="md" size="sm" c="dimmed">
                      Guards have found nothing.
                    </Text>
                  }
                />
              </Section>
              <GuardTrial guards={query.data.guards.map(({ name }) => name)} />
            </>
          )}
        </Stack>
      )}
    </Page>
  );
}

function NoGuards() {
  return (
    <>
      <EmptyState icon={ShieldCheck} title="No guards yet">
        Define guards in gateway.yaml and reload the configuration. Then set them for all calls, or for single models,
        plans, projects and keys.
      </EmptyState>
      <CodeBlock code={EXAMPLE} label="example of gateway.yaml" />
    </>
  );
}
