import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ModelView } from '../../api/lists';
import { Kpi } from '../../kit/kpi';
import { formatMs, formatNumber } from '../../kit/numbers';
import { QueryStates } from '../../kit/query-states';
import { Section } from '../../kit/section';
import { Tip } from '../../kit/tip';
import { type ModelActivity, modelActivityQuery } from './model-activity';
import { failuresText, SPEED_ABOUT, speedBasis, speedText, successText } from './model-activity-words';
import { ModelState } from './model-badges';

const COLUMNS = { base: 2, sm: 3, lg: 5 };

/** How a model did in the last 24 hours. */
export function ModelFigures({ model }: { model: ModelView }) {
  const query = useQuery(modelActivityQuery);
  return (
    <Section title="Last 24 hours">
      <QueryStates query={query}>
        {(all) => <Figures model={model} activity={all.find(({ id }) => id === model.id)} />}
      </QueryStates>
    </Section>
  );
}

function Figures({ model, activity }: { model: ModelView; activity: ModelActivity | undefined }) {
  const { p50FirstTokenMs: p50 = null, p95FirstTokenMs: p95 = null } = activity ?? {};
  return (
    <Stack gap="xs">
      <SimpleGrid cols={COLUMNS} spacing="sm">
        <Kpi label="State" value={<ModelState model={model} />} />
        <Kpi label="Requests" value={formatNumber(activity?.requests ?? 0)} />
        <Kpi label="Success" value={successText(activity)} note={failuresText(activity)} />
        {model.kind === 'chat' && (
          <>
            <Kpi
              label="First token, median"
              value={p50 === null ? '–' : formatMs(p50)}
              note={p95 !== null && `p95 ${formatMs(p95)}`}
            />
            <Kpi
              label="Tokens per second"
              value={
                <Tip label={SPEED_ABOUT} multiline maw={280} forTouch>
                  <span>{speedText(activity)}</span>
                </Tip>
              }
            />
          </>
        )}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        For the requests of all users together. {model.kind === 'chat' && `${speedBasis(activity)} ${SPEED_ABOUT}`}
      </Text>
    </Stack>
  );
}
