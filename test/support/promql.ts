import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** A metric in a query, with the labels that the query uses. */
export interface UsedMetric {
  name: string;
  labels: string[];
}

/** Parses a query with Prometheus' own grammar; throws if it is invalid. */
export function metricsOf(query: string): UsedMetric[] {
  const used: UsedMetric[] = [];
  parser.parse(query).iterate({
    enter: ({ type, node, from }) => {
      if (type.isError) throw new Error(`no query from character ${from} on: ${query}`);
      if (node.name !== 'VectorSelector') return;
      const name = node.getChild('Identifier');
      if (!name) throw new Error(`a selector without a metric: ${query}`);
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      used.push({
        name: textOf(name, query),
        labels: [...matchers.flatMap((matcher) => labelsIn(matcher, query)), ...groupedBy(node, query)],
      });
    },
  });
  return used;
}

/** The labels that the aggregations around a selector group by. */
function groupedBy(node: SyntaxNode, query: string): string[] {
  const labels: string[] = [];
  for (let around = node.parent; around; around = around.parent) {
    const grouping = around.getChild('AggregateModifier')?.getChild('GroupingLabels');
    if (grouping) labels.push(...labelsIn(grouping, query));
  }
  return labels;
}

function labelsIn(node: SyntaxNode, query: string): string[] {
  return node.getChildren('LabelName').map((label) => textOf(label, query));
}

function textOf({ from, to }: SyntaxNode, query: string): string {
  return query.slice(from, to);
}
