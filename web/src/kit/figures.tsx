import { Code, Group } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { CopyButton } from './copy-button';
import classes from './kit.module.css';
import { formatCompact, formatNumber, formatUsd, formatUsdColumn, formatUsdExactly } from './numbers';
import { Tip } from './on-demand';
import { formatDate, formatRelative, formatTime } from './times';

/** Names with their values. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={classes.facts}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

interface CopyableIdProps {
  value: string;
  /** What it names, for screen readers: "request id". */
  what: string;
}

/** An id in full, and a button that copies it. */
export function CopyableId({ value, what }: CopyableIdProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code className={classes.id}>{value}</Code>
      <CopyButton value={value} what={what} size={13} />
    </Group>
  );
}

const EVERY_MS = 30_000;

let now = Date.now();
let timer = 0;
const listeners = new Set<() => void>();

/** The current time, updated every half minute, for all relative times of a page. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(subscribe, () => now));
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = window.setInterval(tick, EVERY_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.clearInterval(timer);
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

interface MoneyProps {
  usd: number;
  /** The number of decimals, the same in a whole column. */
  decimals?: number;
}

/** An amount in US dollars; the tooltip has every decimal. */
export function Money({ usd, decimals }: MoneyProps) {
  const text = decimals === undefined ? formatUsd(usd) : formatUsdColumn(usd, decimals);
  return <span title={formatUsdExactly(usd)}>{text}</span>;
}

/** A count in short form; the tooltip has the exact one. */
export function Quantity({ value }: { value: number }) {
  return <span title={formatNumber(value)}>{formatCompact(value)}</span>;
}

interface RelativeTimeProps {
  /** ISO 8601; null shows `never`. */
  value: string | null | undefined;
  never?: string;
  /** More lines for the tooltip. */
  detail?: string;
  /** `date` shows the day instead of how long ago it is. */
  as?: 'relative' | 'date';
}

/** The time since or until an event; the tooltip has the exact local and UTC time. */
export function RelativeTime({ value, never = 'Never', detail, as = 'relative' }: RelativeTimeProps) {
  const now = useNow();
  if (!value) return <span style={{ color: 'var(--mantine-color-dimmed)' }}>{never}</span>;
  const time = new Date(value);
  const exact = `${formatTime(time)}\n${formatTime(time, 'utc')}${detail ? `\n${detail}` : ''}`;
  return (
    <Tip label={exact} multiline styles={{ tooltip: { whiteSpace: 'pre-line' } }} forTouch>
      <time dateTime={value} style={{ whiteSpace: 'nowrap' }}>
        {as === 'date' ? formatDate(time) : formatRelative(time, now)}
      </time>
    </Tip>
  );
}
