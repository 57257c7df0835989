import { formatDate, formatRelative, formatTime } from './times';
import { Tip } from './tip';
import { useNow } from './use-now';

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
