import { CopyButton } from '../../kit/copy-button';
import { formatMs, formatNumber, formatUsd } from '../../kit/numbers';
import type { AssistantTurn, Stats } from './chat.types';
import classes from './playground.module.css';

/** About this many characters make a token; used only until the answer's last chunk has the number. */
const CHARACTERS_A_TOKEN = 4;

const ENDINGS: Readonly<Record<string, string>> = {
  length: 'Stopped at the token limit',
  content_filter: 'Stopped by a content filter',
  tool_calls: 'Ended with tool calls',
};

/** Time, speed, tokens and cost of an answer. */
export function AnswerStats({ turn, stats }: { turn: AssistantTurn; stats: Stats }) {
  const { firstTokenMs, totalMs, usage, costUsd, requestId, finishReason } = stats;
  const ending = turn.state === 'stopped' ? 'Stopped by you' : ENDINGS[finishReason ?? ''];
  return (
    <div className={classes.stats}>
      {firstTokenMs !== null && <span title="Until the first token">First token {formatMs(firstTokenMs)}</span>}
      {totalMs !== null && <span title="The whole answer">{formatMs(totalMs)} in total</span>}
      <Speed turn={turn} stats={stats} />
      {usage && (
        <span title="Tokens of the request and of the answer">
          {formatNumber(usage.prompt_tokens)} → {formatNumber(usage.completion_tokens)} tokens
        </span>
      )}
      {costUsd !== null && <span title="By the model's price">{formatUsd(costUsd)}</span>}
      {ending && <span className={classes.ending}>{ending}</span>}
      {requestId && (
        <span className={classes.requestId}>
          <CopyButton value={requestId} what="request id" size={13} />
        </span>
      )}
    </div>
  );
}

function Speed({ turn, stats: { firstTokenMs, totalMs, usage } }: { turn: AssistantTurn; stats: Stats }) {
  if (firstTokenMs === null) return null;
  const estimate = Math.ceil((turn.text.length + turn.reasoning.length) / CHARACTERS_A_TOKEN);
  if (totalMs === null) return <span>≈ {formatNumber(estimate)} tokens</span>;
  const seconds = (totalMs - firstTokenMs) / 1000;
  if (!usage || seconds < 0.05) return null;
  return (
    <span title="After the first token">{formatNumber(Math.round(usage.completion_tokens / seconds))} tokens/s</span>
  );
}
