import { Group, Progress, type ProgressProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatPercent } from './numbers';

/** From this share on, a level needs attention. */
export const WARN = 0.8;

interface ShareBarProps extends Omit<ProgressProps, 'value'> {
  share: number;
  name: string;
  verb: string;
  /** Nothing more is possible, although something is left. */
  isFull?: boolean;
}

export function ShareBar({ share, name, verb, isFull = false, ...rest }: ShareBarProps) {
  return (
    <Progress
      value={Math.min(100, share * 100)}
      color={isFull || share >= 1 ? 'red' : share >= WARN ? 'yellow' : undefined}
      aria-label={`${name}: ${formatPercent(share)} ${verb}`}
      {...rest}
    />
  );
}

interface LevelBarProps {
  title: string;
  /** What is used and what is left, in words. */
  text: string;
  share: number;
  name: string;
  verb: string;
  isFull?: boolean;
  /** When more is available. */
  children: ReactNode;
}

/** A bar with its title and its numbers above it. */
export function LevelBar({ title, text, share, name, verb, isFull, children }: LevelBarProps) {
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <Text size="sm">{text}</Text>
      </Group>
      <ShareBar share={share} name={name} verb={verb} isFull={isFull} />
      {children && (
        <Text size="xs" c="dimmed" mt={4}>
          {children}
        </Text>
      )}
    </div>
  );
}
