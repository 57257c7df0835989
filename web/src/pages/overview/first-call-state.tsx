import CircleCheck from 'icon:circle-check';
import { Group, Loader, Text } from '@mantine/core';
import type { components } from '../../api/schema';
import { formatClock } from '../../kit/times';
import classes from './overview.module.css';

interface FirstCallStateProps {
  first: components['schemas']['FirstCallView'] | undefined;
}

const SPARKS = Array.from({ length: 10 }, (_, index) => index);

/** "Waiting…", until the first request has succeeded. */
export function FirstCallState({ first }: FirstCallStateProps) {
  return (
    <div role="status" className={classes.firstCall} data-done={first?.done || undefined}>
      {first?.done ? (
        <Group gap="sm" wrap="nowrap">
          <span className={classes.celebration} aria-hidden>
            <CircleCheck size={22} />
            {SPARKS.map((spark) => (
              <i key={spark} style={{ '--spark': spark } as React.CSSProperties} />
            ))}
          </span>
          <Text size="sm">
            <Text span fw={600} inherit>
              Your first request came through
            </Text>
            {first.model && <> – {first.model} answered</>}
            {first.at && <> at {formatClock(new Date(first.at))}</>}.
          </Text>
        </Group>
      ) : (
        <Group gap="sm" wrap="nowrap">
          <Loader size={16} color="gray" aria-hidden />
          <Text c="dimmed" size="sm">
            Waiting for your first request…
          </Text>
        </Group>
      )}
    </div>
  );
}
