import MessagesSquare from 'icon:messages-square';
import { Button, Group, VisuallyHidden } from '@mantine/core';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { EmptyState } from '../../kit/states';
import type { AssistantTurn, ModelView, Turn } from './chat-settings';
import classes from './playground.module.css';
import { type TurnCommands, TurnView } from './turn-view';

/** A smaller distance from the end counts as at the end. */
const NEAR = 48;

/** Keeps the end in view while content grows, until someone scrolls up, and again at the end. */
function useFollowScroll(content: unknown, isNew: unknown) {
  const box = useRef<HTMLElement>(null);
  const isFollowing = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new conversation step is what starts it again.
  useLayoutEffect(() => {
    isFollowing.current = true;
  }, [isNew]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newly shown content may be longer.
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isFollowing.current) element.scrollTop = element.scrollHeight;
  }, [content, isNew]);
  const onScroll = () => {
    const element = box.current;
    if (element) isFollowing.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
  };
  return { box, onScroll };
}

interface Sentence {
  readonly start: number;
  readonly text: string;
}

const SENTENCE_END = /[.!?:…](?=\s)|\n+/g;

/** Makes screen readers say an answer sentence by sentence as it arrives, without repeating it at every piece. */
function LiveAnswer({ turn }: { turn: AssistantTurn | undefined }) {
  return (
    <VisuallyHidden>
      <div role="log" aria-live="polite" aria-label="The answer as it comes">
        {turn && sentencesOf(turn).map(({ start, text }) => <p key={`${turn.id}-${start}`}>{text}</p>)}
      </div>
    </VisuallyHidden>
  );
}

/** The complete sentences so far; also the last one once the answer has ended. */
function sentencesOf({ text, state }: AssistantTurn): Sentence[] {
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index, 0: mark }) => index + mark.length);
  if (state !== 'running') ends.push(text.length);
  return ends
    .map((end, position) => ({ start: ends[position - 1] ?? 0, end }))
    .map(({ start, end }) => ({ start, text: text.slice(start, end).trim() }))
    .filter((sentence) => sentence.text !== '');
}

const SUGGESTIONS = [
  'Explain server-sent events to a new colleague in five sentences.',
  'Write a haiku about a load balancer.',
  'List three trade-offs between REST and gRPC as a table.',
];

interface ConversationProps {
  turns: readonly Turn[];
  rivals: Readonly<Record<string, AssistantTurn>>;
  model: ModelView | undefined;
  commands: TurnCommands;
  onSuggestion: ((text: string) => void) | null;
}

/** Nothing of a second model's answer can be changed. */
const READ_ONLY: TurnCommands = { change: null, move: noop, remove: noop, regenerate: noop };

function noop(): void {}

/** The messages, the newest in view; answers of two models side by side. */
export function Conversation({ turns, rivals, model, commands, onSuggestion }: ConversationProps) {
  const content = useMemo(() => [turns, rivals], [turns, rivals]);
  const { box, onScroll } = useFollowScroll(content, turns.length);
  const lastAnswer = turns.findLast((turn): turn is AssistantTurn => turn.role === 'assistant');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section className={classes.scroll} ref={box} onScroll={onScroll} tabIndex={0} aria-label="Conversation">
      {turns.length === 0 ? (
        <StartSuggestions model={model} onSuggestion={onSuggestion} />
      ) : (
        <div className={classes.turns}>
          {turns.map((turn, index) => {
            const rival = rivals[turn.id];
            const isLast = index === turns.length - 1;
            return (
              <div key={turn.id} className={rival && classes.pair}>
                <TurnView turn={turn} isFirst={index === 0} isLast={isLast} commands={commands} />
                {rival && <TurnView turn={rival} isFirst={false} isLast commands={READ_ONLY} />}
              </div>
            );
          })}
        </div>
      )}
      <LiveAnswer turn={lastAnswer} />
    </section>
  );
}

function StartSuggestions({ model, onSuggestion }: Pick<ConversationProps, 'model' | 'onSuggestion'>) {
  return (
    <EmptyState
      icon={MessagesSquare}
      title={model ? `Talk to ${model.displayName}` : 'Choose a model'}
      action={
        onSuggestion && (
          <Group gap="xs" justify="center">
            {SUGGESTIONS.map((text) => (
              <Button
                key={text}
                variant="default"
                size="xs"
                className={classes.suggestion}
                onClick={() => onSuggestion(text)}
              >
                {text}
              </Button>
            ))}
          </Group>
        )
      }
    >
      {model?.simulated
        ? 'No provider is connected for this model: the built-in simulator answers, at no cost.'
        : 'Each message is a real call with your own rights. It counts in your usage like any other.'}
    </EmptyState>
  );
}
