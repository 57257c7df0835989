import { Text } from '@mantine/core';
import { limitScope, limitTexts } from './limit-words';
import classes from './upstreams.module.css';
import type { Upstream } from './upstreams-api';

/** The provider's limits, and how much of each is used now. */
export function ProviderLimits({ upstream: { limits } }: { upstream: Upstream }) {
  return (
    <ul className={classes.list}>
      {limits.map((limit) => (
        <li key={`${limit.model} ${limit.key}`}>
          {limitScope(limit)}
          <Text size="xs" c="dimmed">
            {limitTexts(limit).join(' · ')}
          </Text>
        </li>
      ))}
    </ul>
  );
}
