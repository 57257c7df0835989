import { lazy, Suspense } from 'react';
import classes from './turn.module.css';

const Markdown = lazy(() => import('./markdown').then((module) => ({ default: module.Markdown })));

/** An answer as Markdown; as plain text until the Markdown renderer is loaded. */
export function AnswerText({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className={classes.plain}>{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  );
}
