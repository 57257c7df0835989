import { Box, Stack, Text, Title } from '@mantine/core';
import { formatMs } from '../../kit/numbers';
import { StatusBadge } from '../../kit/status-badge';
import { Table } from '../../kit/table';
import { attemptKind } from './attempt-kind';
import { AttemptsTimeline } from './attempts-timeline';
import classes from './requests.module.css';
import type { CallDetail } from './requests-queries';

const TONES = { ok: 'good', left: 'neutral', error: 'bad' } as const;

/** Each attempt at an upstream: as a timeline of the request, and as a table. */
export function CallAttempts({ call }: { call: CallDetail }) {
  const { attempts, totalMs, firstTokenMs, simulated, stream } = call;
  return (
    <Stack gap="sm">
      <Title order={3} size="h2">
        Attempts
      </Title>
      {attempts.length === 0 ? (
        <Text size="sm" c="dimmed">
          {simulated ? 'The built-in simulator answered, so no upstream was called.' : 'No upstream was called.'}
        </Text>
      ) : (
        <>
          <AttemptsTimeline attempts={attempts} totalMs={totalMs} firstTokenMs={stream ? firstTokenMs : null} />
          <Box component="section" className={classes.attempts} aria-label="Attempts in detail" tabIndex={0}>
            <Table aria-label="Attempts" verticalSpacing={7}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">Upstream</Table.Th>
                  <Table.Th scope="col">Outcome</Table.Th>
                  <Table.Th scope="col" ta="right">
                    Started after
                  </Table.Th>
                  <Table.Th scope="col" ta="right">
                    Took
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {attempts.map(({ upstream, key, upstreamModel, outcome, status, startMs, ms, waitedMs, message }) => (
                  <Table.Tr key={`${upstream} ${startMs}`}>
                    <Table.Td>
                      {upstream}
                      {key && ` · key ${key}`}
                      <Text size="xs" c="dimmed">
                        {upstreamModel}
                      </Text>
                    </Table.Td>
                    <Table.Td className={classes.outcomeCell}>
                      <StatusBadge tone={TONES[attemptKind(outcome)]}>
                        {[status, outcome === 'ok' ? 'OK' : outcome].filter(Boolean).join(' ')}
                      </StatusBadge>
                      {message && (
                        <Text size="xs" c="dimmed" className={classes.message}>
                          {message}
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td ta="right">
                      {formatMs(startMs)}
                      {waitedMs && (
                        <Text size="xs" c="dimmed">
                          {formatMs(waitedMs)} waiting
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td ta="right">{formatMs(ms)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Box>
        </>
      )}
    </Stack>
  );
}
