import Bot from 'icon:bot';
import UserRound from 'icon:user-round';
import Wrench from 'icon:wrench';
import { Image as MantineImage, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { AnswerStats } from './answer-stats';
import { AnswerText } from './answer-text';
import type { AssistantTurn, Image, ToolCall, Turn } from './chat.types';
import classes from './turn.module.css';
import { TurnActions, type TurnCommands } from './turn-actions';

const TurnEditor = lazy(() => import('./turn-editor').then((module) => ({ default: module.TurnEditor })));
const FailureNote = lazy(() => import('./failure-note').then((module) => ({ default: module.FailureNote })));

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
