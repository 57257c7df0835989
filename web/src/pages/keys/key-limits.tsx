import { Text } from '@mantine/core';
import { type Limits, limitTexts, shortLimitTexts } from '../../kit/limits';
import classes from './keys.module.css';

/** The first of what limits a key, in short; the tooltip has all of it. */
export function KeyLimits({ limits }: { limits: Limits }) {
  const [first, ...others] = shortLimitTexts(limits);
  if (first === undefined) return null;
  return (
    <Text size="xs" c="dimmed" className={classes.limits} title={limitTexts(limits).join('\n')}>
      {others.length > 0 ? `${first} +${others.length}` : first}
    </Text>
  );
}
