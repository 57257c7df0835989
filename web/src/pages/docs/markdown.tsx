import { Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { TextLink } from '../../kit/links';
import { Table } from '../../kit/table';
import classes from './docs.module.css';
import { anchorOf, type Block, type CodePart, toBlocks } from './markdown-blocks';

interface MarkdownProps {
  text: string;
  /** Draws code, which is below a heading or, at the start, below none; descriptions have no code. */
  renderCode?: (parts: CodePart[], heading?: string) => ReactNode;
}

/** Text of our own in a small part of Markdown: paragraphs, lists, tables, code, bold and links. */
export function Markdown({ text, renderCode }: MarkdownProps) {
  const blocks = toBlocks(text);
  return blocks.map((block, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text never change places
    <Fragment key={at}>
      {block.kind === 'code' ? renderCode?.(block.parts, headingAbove(blocks, at)) : <Part block={block} />}
    </Fragment>
  ));
}

function headingAbove(blocks: readonly Block[], at: number): string | undefined {
  return blocks.slice(0, at).findLast((block) => block.kind === 'heading')?.text;
}

function Part({ block }: { block: Exclude<Block, { kind: 'code' }> }) {
  if (block.kind === 'heading') {
    return (
      <Title order={2} id={anchorOf(block.text)} className={classes.heading}>
        {block.text}
      </Title>
    );
  }
  if (block.kind === 'table') return <TextTable {...block} />;
  if (block.kind === 'text') {
    return (
      <p className={classes.text}>
        <Inline text={block.text} />
      </p>
    );
  }
  const List = block.isOrdered ? 'ol' : 'ul';
  return (
    <List className={classes.bullets}>
      {block.items.map((item) => (
        <li key={item}>
          <Inline text={item} />
        </li>
      ))}
    </List>
  );
}

interface TextTableProps {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** A table whose rows become cards where there is little room. */
export function TextTable({ head, rows }: TextTableProps) {
  return (
    <div className={classes.frame}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {head.map((name) => (
              <Table.Th key={name} scope="col">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((cells) => (
            <Table.Tr key={cells.join('|')}>
              {head.map((name, at) => (
                <Table.Td key={name} data-label={name}>
                  <Inline text={cells[at] ?? ''} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const PIECES = /(`[^`]+`|\*\*.+?\*\*|\[[^\]]+\]\([^)]+\))/;

/** Code, bold text and links within a line. */
export function Inline({ text }: { text: string }) {
  return text.split(PIECES).map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
    <Fragment key={at}>{toPiece(piece)}</Fragment>
  ));
}

function toPiece(piece: string): ReactNode {
  if (/^`.+`$/.test(piece)) return <code className={classes.code}>{piece.slice(1, -1)}</code>;
  if (/^\*\*.+\*\*$/.test(piece)) {
    return (
      <strong>
        <Inline text={piece.slice(2, -2)} />
      </strong>
    );
  }
  const [, label, href] = /^\[(.+)\]\((.+)\)$/.exec(piece) ?? [];
  if (!label || !href) return piece;
  const [to = '', hash] = href.split('#');
  return (
    <TextLink to={to} hash={hash} inherit>
      {label}
    </TextLink>
  );
}
