import { Text } from '@mantine/core';
import type { components } from '../../api/schema';
import { Money } from '../../kit/figures';
import { formatNumber, formatPercent, sharedDecimals } from '../../kit/numbers';
import { Section } from '../../kit/page';
import { Table } from '../../kit/table';
import { CACHE_DAYS } from './usage-queries';

type CacheUse = components['schemas']['CacheUseView'];

/** How often calls were answered from the cache and what that saved. */
export function CachePanel({ report }: { report: components['schemas']['CacheReportView'] }) {
  return (
    <Section title="Cache of equal answers">
      <Text size="sm" c="dimmed">
        The last {CACHE_DAYS} days. A hit costs nothing; saved is what it would have cost.
      </Text>
      <UseTable label="Cache by model" owner="Model" uses={report.models} />
      <UseTable label="Cache by project" owner="Project" uses={report.projects} />
    </Section>
  );
}

function UseTable({ label, owner, uses }: { label: string; owner: string; uses: readonly CacheUse[] }) {
  const decimals = sharedDecimals(uses.map(({ savedUsd }) => savedUsd));
  return (
    <Table aria-label={label}>
      <thead>
        <tr>
          <th>{owner}</th>
          <th>Hits</th>
          <th>Hit rate</th>
          <th>Saved</th>
        </tr>
      </thead>
      <tbody>
        {uses.map(({ name, hits, misses, savedUsd }) => (
          <tr key={name}>
            <td>{name || 'Without a project'}</td>
            <td>{formatNumber(hits)}</td>
            <td>{formatPercent(hits / (hits + misses))}</td>
            <td>
              <Money usd={savedUsd} decimals={decimals} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
