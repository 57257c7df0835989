import { Button, Drawer, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fact, Facts, RelativeTime } from '../../kit/figures';
import { withHumanTimes } from '../../kit/times';
import { Delivery, Subject } from './alert-columns';
import { type Alert, type AlertRow, alertTitle, answerText } from './alert-words';
import classes from './alerts.module.css';

interface AlertDrawerProps {
  /** Null closes the drawer. */
  row: AlertRow | null;
  /** Shows only the alerts about this subject. */
  onFilter: (subject: string) => void;
  onClose: () => void;
}

/** One alert with its whole text, the webhook's last response, and the earlier ones of its row. */
export function AlertDrawer({ row, onFilter, onClose }: AlertDrawerProps) {
  const alert = row?.alert ?? null;
  return (
    <Drawer
      opened={alert !== null}
      onClose={onClose}
      title={alert ? alertTitle(alert.type) : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {alert && (
        <Stack gap="lg">
          <Facts>
            {factsOf(alert).map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
          <Button variant="default" onClick={() => onFilter(alert.subject)} style={{ alignSelf: 'flex-start' }}>
            All alerts about this
          </Button>
          {row !== null && row.earlier.length > 0 && <Earlier alerts={row.earlier} />}
        </Stack>
      )}
    </Drawer>
  );
}

const MOST = 50;

/** What happened before, newest first. */
function Earlier({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <section aria-labelledby="earlier-alerts">
      <Title order={3} size="h3" mb="xs" id="earlier-alerts">
        Before that
      </Title>
      <ul className={classes.earlier}>
        {alerts.slice(0, MOST).map(({ id, type, at }) => (
          <li key={id}>
            <Text size="sm">
              {alertTitle(type)} · <RelativeTime value={at} />
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}

function factsOf(alert: Alert): [string, ReactNode][] {
  const { text, at, attempts, triedAt, answerStatus: status, answer } = alert;
  return [
    ['Message', withHumanTimes(text)],
    ['About', <Subject key="about" alert={alert} />],
    ['When', <RelativeTime key="when" value={at} />],
    ['Webhook', <Delivery key="delivery" alert={alert} />],
    ...(attempts > 0
      ? ([
          ['Attempts', String(attempts)],
          ['Last attempt', triedAt ? <RelativeTime key="tried" value={triedAt} /> : 'In progress'],
          ['Response', answerText({ status, answer })],
        ] as [string, ReactNode][])
      : []),
  ];
}
