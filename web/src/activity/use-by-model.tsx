import type { Series } from '../charts/series';
import { errorRateOf } from '../kit/error-rate';
import { TextLink } from '../kit/links';
import { formatCompact, formatNumber, formatPercent, formatUsd } from '../kit/numbers';
import { Table } from '../kit/table';
import type { UsageReport, UsageTotals } from './activity-queries';
import classes from './use-by-model.module.css';

interface UseByModelProps {
  report: UsageReport;
  /** The series of the chart; their colors mark the rows. */
  series: readonly Series[];
}

/** The numbers of the chart by model; it is also the chart's legend. */
export function UseByModel({ report, series }: UseByModelProps) {
  const colors = new Map(series.map(({ id, color }) => [id, color]));
  return (
    <div className={classes.frame}>
      <Table aria-label="Usage by model">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Model</Table.Th>
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
          {report.groups.map(({ id, label, totals }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row">
                <span className={classes.model}>
                  <span
                    className={classes.mark}
                    style={{ background: colors.get(id) ?? 'var(--series-rest)' }}
                    aria-hidden
                  />
                  <TextLink to="/models/$" params={{ _splat: id }} inherit>
                    {label}
                  </TextLink>
                </span>
              </Table.Th>
              <Numbers totals={totals} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
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
