import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fact, Facts, RelativeTime } from '../../kit/figures';
import { Delivery } from './alert-columns';
import { type Alert, alertTitle, answerText } from './alert-words';

interface AlertDrawerProps {
  /** Null closes the drawer. */
  alert: Alert | null;
  onClose: () => void;
}

/** One alert with its whole text and the webhook's last response. */
export function AlertDrawer({ alert, onClose }: AlertDrawerProps) {
  return (
    <Drawer
      opened={alert !== null}
      onClose={onClose}
      title={alert ? alertTitle(alert.type) : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {alert && (
        <Facts>
          {factsOf(alert).map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </Facts>
      )}
    </Drawer>
  );
}

function factsOf(alert: Alert): [string, ReactNode][] {
  const { text, subject, at, attempts, triedAt, answerStatus: status, answer } = alert;
  return [
    ['Message', text],
    ['About', subject],
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
