import { Box } from '@mantine/core';
import classes from './code-block.module.css';
import { CopyButton } from './copy-button';

interface CodeBlockProps {
  code: string;
  /** What the copy button gives, where that is more than can be shown. */
  whole?: string;
  /** What it is, for screen readers and the copy button: "curl command". */
  label: string;
  onCopied?: () => void;
  maxHeight?: number;
}

/** Text to copy, as it is. */
export function CodeBlock({ code, whole, label, onCopied, maxHeight }: CodeBlockProps) {
  return (
    <Box className={classes.block} onCopy={onCopied}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <section className={classes.scroll} aria-label={label} style={{ maxHeight }} tabIndex={0}>
        <pre className={classes.code}>
          <code>{code}</code>
        </pre>
      </section>
      <div className={classes.copy}>
        <CopyButton value={whole ?? code} what={label} onCopied={onCopied} />
      </div>
    </Box>
  );
}
