import ArrowDown from 'icon:arrow-down';
import ArrowUp from 'icon:arrow-up';
import Bot from 'icon:bot';
import Pencil from 'icon:pencil';
import RotateCw from 'icon:rotate-cw';
import Trash2 from 'icon:trash';
import UserRound from 'icon:user-round';
import Wrench from 'icon:wrench';
import { ActionIcon, Image as MantineImage, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { Icon } from '../../icons/icon';
import { CodeBlock } from '../../kit/code-block';
import { CopyButton } from '../../kit/copy-button';
import type { Drawing } from '../../kit/markdown';
import { formatMs, formatNumber, formatUsd } from '../../kit/numbers';
import { Tip } from '../../kit/on-demand';
import { TextLink } from '../../kit/page';
import { capital, endingText } from '../../kit/words';
import type { AssistantTurn, Image, Stats, ToolCall, Turn } from './chat-settings';
import pageClasses from './playground.module.css';
import classes from './turn.module.css';

/** About this many characters make a token; used only until the answer's last chunk has the number. */
const CHARACTERS_A_TOKEN = 4;

/** Time, speed, tokens and cost of an answer. */
function AnswerStats({ turn, stats }: { turn: AssistantTurn; stats: Stats }) {
  const { firstTokenMs, totalMs, usage, costUsd, requestId, finishReason } = stats;
  const isUnusual = finishReason !== null && finishReason !== 'stop';
  const ending = turn.state === 'stopped' ? 'Stopped by you' : isUnusual && capital(endingText(finishReason));
  return (
    <div className={pageClasses.stats}>
      {firstTokenMs !== null && <span title="Until the first token">First token {formatMs(firstTokenMs)}</span>}
      {totalMs !== null && <span title="The whole answer">{formatMs(totalMs)} in total</span>}
      <Speed turn={turn} stats={stats} />
      {usage && (
        <span title="Tokens of the request and of the answer">
          {formatNumber(usage.prompt_tokens)} → {formatNumber(usage.completion_tokens)} tokens
        </span>
      )}
      {costUsd !== null && <span title="By the model's price">{formatUsd(costUsd)}</span>}
      {ending && <span className={pageClasses.ending}>{ending}</span>}
      {requestId && (
        <span className={pageClasses.requestId}>
          <TextLink to="/requests" search={{ range: '30d', call: requestId }} size="xs" title={requestId}>
            Request
          </TextLink>
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

const Markdown = lazy(() => import('../../kit/markdown').then((module) => ({ default: module.Markdown })));

const DRAWING: Drawing = {
  code: ({ value }) => <CodeBlock code={value} label="code" />,
  image: ({ alt }) => <span className={pageClasses.image}>[image{alt ? `: ${alt}` : ''}]</span>,
  table: (_, inner) => (
    <div className={pageClasses.table}>
      <table>{inner}</table>
    </div>
  ),
};

/** An answer as Markdown; as plain text until the Markdown renderer is loaded. */
function AnswerText({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className={classes.plain}>{text}</div>}>
      <div className={pageClasses.markdown}>
        <Markdown text={text} drawing={DRAWING} />
      </div>
    </Suspense>
  );
}

/** The actions on messages of a conversation. */
export interface TurnCommands {
  /** Null while an answer is running, when nothing can be changed. */
  readonly change: ((id: string, text: string) => void) | null;
  readonly remove: (id: string) => void;
  readonly move: (id: string, step: -1 | 1) => void;
  readonly regenerate: (id: string) => void;
}

interface TurnActionsProps {
  turn: Turn;
  isFirst: boolean;
  isLast: boolean;
  commands: TurnCommands;
  onEdit: () => void;
}

function TurnActions({ turn, isFirst, isLast, commands, onEdit }: TurnActionsProps) {
  const { id, role } = turn;
  return (
    <div className={classes.actions}>
      {turn.text !== '' && <CopyButton value={turn.text} what="message" size={14} />}
      <Action icon={Pencil} label="Edit" onClick={onEdit} />
      <Action
        icon={RotateCw}
        label={role === 'assistant' ? 'Answer again' : 'Answer from here'}
        onClick={() => commands.regenerate(id)}
      />
      {!isFirst && <Action icon={ArrowUp} label="Move up" onClick={() => commands.move(id, -1)} />}
      {!isLast && <Action icon={ArrowDown} label="Move down" onClick={() => commands.move(id, 1)} />}
      <Action icon={Trash2} label="Delete" onClick={() => commands.remove(id)} />
    </div>
  );
}

interface ActionProps {
  icon: Icon;
  label: string;
  onClick: () => void;
}

function Action({ icon: Icon, label, onClick }: ActionProps) {
  return (
    <Tip label={label}>
      <ActionIcon aria-label={label} onClick={onClick}>
        <Icon size={14} aria-hidden="true" />
      </ActionIcon>
    </Tip>
  );
}

const TurnEditor = lazy(() => import('./turn-editor').then((module) => ({ default: module.TurnEditor })));
const FailureNote = lazy(() => import('./turn-editor').then((module) => ({ default: module.FailureNote })));

interface TurnViewProps {
  turn: Turn;
  isFirst: boolean;
  isLast: boolean;
  commands: TurnCommands;
}

const ROLES = {
  user: { name: 'You', icon: UserRound },
  assistant: { name: 'Assistant', icon: Bot },
  tool: { name: 'Tool result', icon: Wrench },
};

/** One message of the conversation, with its actions. */
export function TurnView({ turn, isFirst, isLast, commands }: TurnViewProps) {
  const [isEditing, setEditing] = useState(turn.role === 'tool' && turn.text === '');
  const { name, icon: Icon } = ROLES[turn.role];
  const save = (text: string, isRun: boolean) => {
    commands.change?.(turn.id, text);
    setEditing(false);
    if (isRun) commands.regenerate(turn.id);
  };
  return (
    <article className={classes.turn} data-role={turn.role} aria-label={`${name}, message`}>
      <header className={classes.turnHead}>
        <span className={classes.avatar} aria-hidden="true">
          <Icon size={14} strokeWidth={2} />
        </span>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" className={classes.turnModel}>
          {turn.role === 'assistant' && (turn.state === 'written' ? 'written by you' : turn.stats?.model)}
          {turn.role === 'tool' && turn.call.name}
        </Text>
        {commands.change && !isEditing && (
          <TurnActions
            turn={turn}
            isFirst={isFirst}
            isLast={isLast}
            commands={commands}
            onEdit={() => setEditing(true)}
          />
        )}
      </header>
      <div className={classes.turnBody}>
        {isEditing ? (
          <Suspense fallback={<Content turn={turn} />}>
            <TurnEditor turn={turn} onSave={save} onCancel={() => setEditing(false)} />
          </Suspense>
        ) : (
          <Content turn={turn} />
        )}
      </div>
    </article>
  );
}

function Content({ turn }: { turn: Turn }) {
  if (turn.role === 'assistant') return <Answer turn={turn} />;
  return (
    <>
      {turn.text !== '' && <div className={classes.plain}>{turn.text}</div>}
      {turn.role === 'user' && turn.images.length > 0 && <Images images={turn.images} />}
    </>
  );
}

function Answer({ turn }: { turn: AssistantTurn }) {
  const { text, reasoning, toolCalls, failure, stats, state } = turn;
  const isWaiting = state === 'running' && text === '' && toolCalls.length === 0;
  return (
    <>
      {reasoning !== '' && (
        <details className={classes.reasoning} open={isWaiting}>
          <summary>{isWaiting ? 'Thinking…' : 'Thoughts'}</summary>
          <div className={classes.plain}>{reasoning}</div>
        </details>
      )}
      {text !== '' && <AnswerText text={text} />}
      {isWaiting && reasoning === '' && (
        <span className={classes.waiting} role="img" aria-label="Waiting for the answer">
          <i />
          <i />
          <i />
        </span>
      )}
      {toolCalls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
      {failure && (
        <Suspense fallback={<Text c="var(--console-bad)">{failure.message}</Text>}>
          <FailureNote failure={failure} />
        </Suspense>
      )}
      {stats && <AnswerStats turn={turn} stats={stats} />}
    </>
  );
}

function Call({ call }: { call: ToolCall }) {
  return (
    <div className={classes.call}>
      <span className={classes.callName}>
        <Wrench size={13} aria-hidden="true" /> {call.name}
      </span>
      <pre>{call.arguments}</pre>
    </div>
  );
}

function Images({ images }: { images: readonly Image[] }) {
  return (
    <div className={classes.images}>
      {images.map(({ id, name, url }) => (
        <MantineImage key={id} src={url} alt={name} className={classes.image} />
      ))}
    </div>
  );
}
