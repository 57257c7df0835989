import { Tabs } from '@mantine/core';
import { CodeBlock } from '../../kit/code-block';
import { useDocs } from './docs-context';
import type { Code } from './docs-values';

/** Code in several languages; the choice holds for all code on the page. */
export function CodeTabs({ codes, label }: { codes: readonly Code[]; label: string }) {
  const { language, chooseLanguage } = useDocs();
  const [first] = codes;
  if (!first) return null;
  if (codes.length === 1) return <CodeBlock code={first.code} label={`${label}: ${first.name}`} />;
  const shown = codes.find(({ id }) => id === language) ?? first;
  return (
    <Tabs value={shown.id} onChange={(id) => id && chooseLanguage(id)} keepMounted={false}>
      <Tabs.List mb="xs" aria-label={`Language: ${label}`}>
        {codes.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {codes.map(({ id, name, code }) => (
        <Tabs.Panel key={id} value={id}>
          <CodeBlock code={code} label={`${label}: ${name}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
