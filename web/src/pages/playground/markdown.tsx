import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from '../../kit/code-block';
import classes from './markdown.module.css';

const REMARK = [remarkGfm, htmlAsText];
const REHYPE = [rehypeSanitize];

/** Nothing is loaded from an answer's links: images are shown as text, and links open only on click. */
const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
  img: ({ alt }) => <span className={classes.image}>[image{alt ? `: ${alt}` : ''}]</span>,
  pre: ({ children }) => <CodeBlock code={textOf(children).replace(/\n$/, '')} label="code" />,
  table: ({ children }) => (
    <div className={classes.table}>
      <table>{children}</table>
    </div>
  ),
};

/** An answer's Markdown. Loaded on demand: it is the largest part of the page. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown}>
      <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={REHYPE} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
}

/** Raw HTML is never rendered; it is shown as text. */
function htmlAsText() {
  return (root: MarkdownNode) => toText(root);
}

function toText(node: MarkdownNode): void {
  for (const child of node.children ?? []) {
    if (child.type === 'html') child.type = HOLDS_BLOCKS.includes(node.type) ? 'code' : 'text';
    else toText(child);
  }
}

/** Other elements with children contain inline text. */
const HOLDS_BLOCKS = ['root', 'blockquote', 'listItem', 'footnoteDefinition'];

/** The text of a code block. */
function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node === 'object' && node !== null && 'props' in node) {
    return textOf((node.props as { children?: ReactNode }).children);
  }
  return '';
}
