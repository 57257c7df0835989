import type { Series } from '../charts/series';
import { errorRateOf, formatCompact, formatNumber, formatPercent, formatUsd } from '../kit/numbers';
import { TextLink } from '../kit/page';
import { Table } from '../kit/table';
import type { UsageGrouping, UsageReport, UsageTotals } from './activity-queries';
import classes from './use-by-group.module.css';

interface UseByGroupProps {
  report: UsageReport;
  grouping: UsageGrouping;
  /** The series of the chart; their colors mark the rows. */
  series: readonly Series[];
  /** The address of a group's requests, for groups without a page of their own. */
  search: Record<string, string>;
}

type Group = UsageReport['groups'][number];

export const GROUP_NAMES: Readonly<Record<UsageGrouping, string>> = { model: 'Model', key: 'Key', user: 'User' };

/** Requests whose model, key or user does not exist. */
const NONE = '~none';

/** The numbers of the chart by model, key or user: its legend, too. */
export function UseByGroup({ report, grouping, series, search }: UseByGroupProps) {
  const colors = new Map(series.map(({ id, color }) => [id, color]));
  return (
    <div className={classes.frame}>
      <Table aria-label={`Usage by ${grouping}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{GROUP_NAMES[grouping]}</Table.Th>
            <Table.Th scope="col" ta="right">
              Requests
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Cost
            </Table.Th>
            <Table.Th scope="col" ta="right" className={classes.wide}>
              Tokens
            </Table.Th>
            <Table.Th scope="col" ta="right" className={classes.wide}>
              Success
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.groups.map((group) => (
            <Table.Tr key={group.id}>
              <Table.Th scope="row">
                <span className={classes.group}>
                  <span
                    className={classes.mark}
                    style={{ background: colors.get(group.id) ?? 'var(--series-rest)' }}
                    aria-hidden
                  />
                  <GroupName group={group} grouping={grouping} search={search} />
                </span>
              </Table.Th>
              <Numbers totals={group.totals} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function GroupName({
  group: { id, label, detail },
  grouping,
  search,
}: { group: Group } & Omit<UseByGroupProps, 'report' | 'series'>) {
  if (id === NONE) return label;
  if (grouping === 'model') {
    return (
      <TextLink to="/models/$" params={{ _splat: id }} inherit>
        {label}
      </TextLink>
    );
  }
  return (
    <span>
      <TextLink to="/requests" search={{ ...search, [`${grouping}s`]: id }} title="Show the requests" inherit>
        {label}
      </TextLink>
      {detail && <span className={classes.detail}> {detail}</span>}
    </span>
  );
}

function Numbers({ totals }: { totals: UsageTotals }) {
  const errorRate = errorRateOf(totals);
  return (
    <>
      <Table.Td ta="right">{formatNumber(totals.requests)}</Table.Td>
      <Table.Td ta="right">{formatUsd(totals.costUsd)}</Table.Td>
      <Table.Td ta="right" className={classes.wide}>
        {formatCompact(totals.inputTokens + totals.outputTokens)}
      </Table.Td>
      <Table.Td ta="right" className={classes.wide}>
        {errorRate === null ? '–' : formatPercent(1 - errorRate)}
      </Table.Td>
    </>
  );
}
