/** A part of a text in the small Markdown of guides and descriptions. */
export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: string[] }
  | { kind: 'table'; head: string[]; rows: string[][] }
  | { kind: 'code'; parts: CodePart[] };

export interface CodePart {
  /** What follows the fence: `sh`, `python`, `request /v1/embeddings`. */
  language: string;
  code: string;
}

const FENCE = /^```(.+)\n([\s\S]*?)\n```$/;

/** The blocks of a text; code blocks that follow each other are one, in several languages. */
export function toBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const part of partsOf(text)) {
    const block = toBlock(part);
    const last = blocks.at(-1);
    if (block.kind === 'code' && last?.kind === 'code') last.parts.push(...block.parts);
    else blocks.push(block);
  }
  return blocks;
}

/** What empty lines separate, except within code. */
function partsOf(text: string): string[] {
  return text
    .split(/(^```.+\n[\s\S]*?\n```$)/m)
    .flatMap((part) => (part.startsWith('```') ? [part] : part.split(/\n{2,}/)))
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap(headingApart);
}

function headingApart(part: string): string[] {
  const [, heading, rest] = /^(## .+)\n([\s\S]+)$/.exec(part) ?? [];
  return heading && rest ? [heading, rest] : [part];
}

function toBlock(part: string): Block {
  const [, language, code] = FENCE.exec(part) ?? [];
  if (language && code !== undefined) return { kind: 'code', parts: [{ language, code }] };
  if (part.startsWith('## ')) return { kind: 'heading', text: part.slice(3) };
  if (part.startsWith('|')) return toTable(part.split('\n'));
  if (/^(-|1\.) /.test(part)) return toList(part);
  return { kind: 'text', text: part.replaceAll('\n', ' ') };
}

function toList(part: string): Block {
  const items = part
    .split(/\n(?=(?:-|\d+\.) )/)
    .map((item) => item.replace(/^(-|\d+\.) /, '').replace(/\s*\n\s*/g, ' '));
  return { kind: 'list', isOrdered: part.startsWith('1.'), items };
}

function toTable([head = '', , ...rows]: string[]): Block {
  return { kind: 'table', head: cellsOf(head), rows: rows.map(cellsOf) };
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The id of a heading in its page: `if-a-stream-breaks`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
