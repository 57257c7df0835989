import { Tabs } from '@mantine/core';
import { CodeBlock } from './code-block';
import { SNIPPETS, type SnippetValues } from './snippet-texts';
import classes from './snippets.module.css';

interface SnippetsProps extends SnippetValues {
  onCopied?: () => void;
}

/** Code for a first call, in several languages. */
export function Snippets({ onCopied, ...values }: SnippetsProps) {
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List mb="sm" aria-label="Language">
        {SNIPPETS.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id} className={classes.tab}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {SNIPPETS.map(({ id, name, text }) => (
        <Tabs.Panel key={id} value={id}>
          <CodeBlock code={text(values)} label={`${name} snippet`} onCopied={onCopied} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
