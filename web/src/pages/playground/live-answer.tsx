import { VisuallyHidden } from '@mantine/core';
import type { AssistantTurn } from './chat.types';

interface Sentence {
  readonly start: number;
  readonly text: string;
}

const SENTENCE_END = /[.!?:…](?=\s)|\n+/g;

/** Makes screen readers say an answer sentence by sentence as it arrives, without repeating it at every piece. */
export function LiveAnswer({ turn }: { turn: AssistantTurn | undefined }) {
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
