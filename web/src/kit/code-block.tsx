import { Box } from '@mantine/core';
import { CopyButton } from './copy-button';
import classes from './kit.module.css';

interface CodeBlockProps {
  code: string;
  /** The text to copy, if it is longer than the text shown. */
  whole?: string;
  /** Names the text for screen readers and the copy button: "curl command". */
  label: string;
  onCopied?: () => void;
  maxHeight?: number;
}

/** Text to copy. */
export function CodeBlock({ code, whole, label, onCopied, maxHeight }: CodeBlockProps) {
  return (
    <Box className={classes.block} onCopy={onCopied}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard. */}
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
