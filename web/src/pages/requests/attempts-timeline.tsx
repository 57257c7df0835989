import { formatMs } from '../../kit/numbers';
import { attemptKind } from './attempt-kind';
import classes from './attempts-timeline.module.css';
import type { CallDetail } from './requests-queries';

interface AttemptsTimelineProps {
  attempts: CallDetail['attempts'];
  totalMs: number | null;
  firstTokenMs: number | null;
}

/**
 * A bar for each attempt along the request's time, and the time of its first token. The table beside it has the same.
 */
export function AttemptsTimeline({ attempts, totalMs, firstTokenMs }: AttemptsTimelineProps) {
  const end = Math.max(totalMs ?? 0, ...attempts.map(({ startMs, ms }) => startMs + ms), 1);
  const part = (ms: number) => `${(100 * ms) / end}%`;
  return (
    <div className={classes.timeline} aria-hidden>
      {attempts.map(({ upstream, startMs, ms, outcome }) => (
        <div key={`${upstream} ${startMs}`} className={classes.lane}>
          <span className={classes.laneName}>{upstream}</span>
          <span className={classes.laneTrack}>
            <span
              className={classes.laneBar}
              data-outcome={attemptKind(outcome)}
              style={{ left: part(startMs), width: `max(3px, ${part(ms)})` }}
            />
            {outcome === 'ok' && firstTokenMs !== null && (
              <span className={classes.firstToken} style={{ left: part(firstTokenMs) }} title="First token" />
            )}
          </span>
        </div>
      ))}
      <div className={classes.lane}>
        <span />
        <span className={classes.scale}>
          <span>0</span>
          {firstTokenMs !== null && <span>first token after {formatMs(firstTokenMs)}</span>}
          <span>{formatMs(end)}</span>
        </span>
      </div>
    </div>
  );
}
