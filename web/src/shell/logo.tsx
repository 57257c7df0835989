import { Group, Text } from '@mantine/core';

/** The logo: two ways in, one way out. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-irisScale-6)" />
      <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
        <path d="M6.5 10h5.2c4.6 0 4.6 6 9.3 6H25.5" />
        <path d="M6.5 22h5.2c4.6 0 4.6-6 9.3-6" />
      </g>
    </svg>
  );
}

export function Wordmark() {
  return (
    <Group gap={10} wrap="nowrap">
      <Mark />
      <Text fw={650} size="md" style={{ letterSpacing: '-0.015em' }}>
        Gateway
      </Text>
    </Group>
  );
}
