import type { Nodes, Table, TableRow } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { createElement as element, Fragment, memo, type ReactNode } from 'react';

/** How the nodes of a kind are drawn. */
export type Drawing = {
  readonly [Kind in Nodes['type']]?: (node: Extract<Nodes, { type: Kind }>, inner: ReactNode) => ReactNode;
};

interface MarkdownProps {
  text: string;
  /** Replaces what is drawn by default. */
  drawing?: Drawing;
}

/** Markdown of GitHub's kind. Loaded on demand: it is 25 kB. Raw HTML is text, and an image is its description. */
export const Markdown = memo(function Markdown({ text, drawing }: MarkdownProps) {
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const definitions = tree.children.filter((node) => node.type === 'definition');
  const addresses = new Map(definitions.map(({ identifier, url }) => [identifier, url]));
  return drawn(tree, { drawing: { ...DRAWING, ...drawing }, addresses });
});

interface Whole {
  readonly drawing: Drawing;
  /** Those of links that name their address elsewhere in the text. */
  readonly addresses: ReadonlyMap<string, string>;
}

const DRAWING: Drawing = {
  paragraph: (_, inner) => element('p', null, inner),
  heading: ({ depth }, inner) => element(`h${depth}`, null, inner),
  thematicBreak: () => element('hr'),
  blockquote: (_, inner) => element('blockquote', null, inner),
  list: ({ ordered, start }, inner) =>
    ordered ? element('ol', { start: start ?? undefined }, inner) : element('ul', null, inner),
  listItem: ({ checked }, inner) =>
    typeof checked === 'boolean'
      ? element('li', null, element('input', { type: 'checkbox', checked, disabled: true, readOnly: true }), ' ', inner)
      : element('li', null, inner),
  code: ({ value }) => element('pre', null, element('code', null, value)),
  table: (_, inner) => element('table', null, inner),
  emphasis: (_, inner) => element('em', null, inner),
  strong: (_, inner) => element('strong', null, inner),
  delete: (_, inner) => element('del', null, inner),
  inlineCode: ({ value }) => element('code', null, value),
  break: () => element('br'),
  link: ({ url }, inner) =>
    element('a', { href: safe(url), target: '_blank', rel: 'noopener noreferrer nofollow' }, inner),
  image: ({ alt }) => `[image${alt ? `: ${alt}` : ''}]`,
  footnoteReference: ({ label, identifier }) => element('sup', null, label ?? identifier),
  footnoteDefinition: ({ label, identifier }, inner) =>
    element('section', null, element('sup', null, label ?? identifier), inner),
};

function drawn(node: Nodes, whole: Whole): ReactNode {
  const draw = whole.drawing[node.type] as ((node: Nodes, inner: ReactNode) => ReactNode) | undefined;
  switch (node.type) {
    case 'definition':
      return null;
    case 'linkReference':
      return drawn({ ...node, type: 'link', url: whole.addresses.get(node.identifier) ?? '' }, whole);
    case 'imageReference':
      return drawn({ ...node, type: 'image', url: '' }, whole);
    case 'table':
      return draw?.(node, rowsOf(node, whole));
    case 'list': {
      const spread = node.spread || node.children.some((item) => item.spread);
      return draw?.(node, innerOf({ ...node, children: node.children.map((item) => ({ ...item, spread })) }, whole));
    }
  }
  if (draw) return draw(node, innerOf(node, whole));
  return 'value' in node ? node.value : innerOf(node, whole);
}

const HOLDS_BLOCKS: readonly string[] = ['root', 'blockquote', 'listItem', 'footnoteDefinition'];

function innerOf(node: Nodes, whole: Whole): ReactNode {
  if (!('children' in node)) return null;
  const isTight = node.type === 'listItem' && !node.spread;
  const inner = node.children.map((child) => {
    if (child.type === 'paragraph' && isTight) return innerOf(child, whole);
    if (child.type === 'html' && HOLDS_BLOCKS.includes(node.type)) return drawn({ ...child, type: 'code' }, whole);
    return drawn(child, whole);
  });
  return element(Fragment, null, ...inner);
}

/** Each cell names its column, for tables that become cards where there is little room. */
function rowsOf({ children: [head, ...rows], align }: Table, whole: Whole): ReactNode {
  const names = head?.children.map(textOf) ?? [];
  const rowOf = (row: TableRow | undefined, kind: 'th' | 'td') => {
    const cells = row?.children.map((cell, at) => {
      const about = kind === 'th' ? { scope: 'col' } : { 'data-label': names[at] };
      const textAlign = align?.[at] ?? undefined;
      return element(kind, { ...about, style: textAlign && { textAlign } }, innerOf(cell, whole));
    });
    return element('tr', null, ...(cells ?? []));
  };
  const body = element('tbody', null, ...rows.map((row) => rowOf(row, 'td')));
  return element(Fragment, null, element('thead', null, rowOf(head, 'th')), body);
}

/** The text of a node, without what marks it up. */
export function textOf(node: Nodes): string {
  if ('children' in node) return node.children.map(textOf).join('');
  return 'value' in node ? node.value : '';
}

/** The address, unless a click on it could run a script: only pages and mail. */
function safe(url: string): string | undefined {
  return /^(https?:|mailto:|[^:/?#]*([/?#]|$))/i.test(url) ? url : undefined;
}
