import MessagesSquare from 'icon:messages-square';
import { Button, Group } from '@mantine/core';
import { EmptyState } from '../../kit/empty-state';
import type { AssistantTurn, ModelView, Turn } from './chat.types';
import { LiveAnswer } from './live-answer';
import classes from './playground.module.css';
import type { TurnCommands } from './turn-actions';
import { TurnView } from './turn-view';
import { useFollowScroll } from './use-follow-scroll';

const SUGGESTIONS = [
  'Explain server-sent events to a new colleague in five sentences.',
  'Write a haiku about a load balancer.',
  'List three trade-offs between REST and gRPC as a table.',
];

interface ConversationProps {
  turns: readonly Turn[];
  model: ModelView | undefined;
  commands: TurnCommands;
  onSuggestion: ((text: string) => void) | null;
}

/** The messages, the newest in view. */
export function Conversation({ turns, model, commands, onSuggestion }: ConversationProps) {
  const { box, onScroll } = useFollowScroll(turns, turns.length);
  const lastAnswer = turns.findLast((turn): turn is AssistantTurn => turn.role === 'assistant');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
    <section className={classes.scroll} ref={box} onScroll={onScroll} tabIndex={0} aria-label="Conversation">
      {turns.length === 0 ? (
        <StartSuggestions model={model} onSuggestion={onSuggestion} />
      ) : (
        <div className={classes.turns}>
          {turns.map((turn, index) => (
            <TurnView
              key={turn.id}
              turn={turn}
              isFirst={index === 0}
              isLast={index === turns.length - 1}
              commands={commands}
            />
          ))}
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
