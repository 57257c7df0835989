import { Text } from '@mantine/core';
import { type Limits, limitTexts, shortLimitTexts } from '../../kit/limits';
import classes from './keys.module.css';

/** The first of a key's limits in short form; the tooltip has all. */
export function KeyLimits({ limits }: { limits: Limits }) {
  const [first, ...others] = shortLimitTexts(limits);
  if (first === undefined) return null;
  return (
    <Text size="xs" c="dimmed" className={classes.limits} title={limitTexts(limits).join('\n')}>
      {others.length > 0 ? `${first} +${others.length}` : first}
    </Text>
  );
}
