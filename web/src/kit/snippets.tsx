import { Tabs } from '@mantine/core';
import { REQUEST_SNIPPETS } from '../snippets/request-snippets';
import { CodeBlock } from './code-block';
import classes from './kit.module.css';

interface SnippetValues {
  /** `https://gateway.example/v1` */
  baseUrl: string;
  model: string;
  /** The key itself if it is shown now; otherwise snippets read it from the environment. */
  apiKey?: string;
}

export interface Snippet {
  id: 'curl' | 'python' | 'node' | 'env' | 'limits';
  name: string;
  text: (values: SnippetValues) => string;
}

/** A first call in each language, variables for the environment of a program, and what is left of the key's limits. */
export const SNIPPETS: Snippet[] = [
  ...REQUEST_SNIPPETS.map(({ id, name, toCode }): Snippet => {
    const text = ({ baseUrl, model, apiKey }: SnippetValues) => toCode(baseUrl, firstRequest(model), apiKey);
    return { id, name, text };
  }),
  {
    id: 'env',
    name: '.env',
    text: ({ baseUrl, apiKey }) => `OPENAI_BASE_URL=${baseUrl}\nOPENAI_API_KEY=${apiKey ?? ''}`,
  },
  {
    id: 'limits',
    name: 'Limits left',
    text: ({ baseUrl, apiKey }) =>
      `curl ${baseUrl}/key \\\n  -H "Authorization: Bearer ${apiKey ?? '$OPENAI_API_KEY'}"`,
  },
];

function firstRequest(model: string) {
  return { model, messages: [{ role: 'user', content: 'Hello!' }] };
}

interface SnippetsProps extends SnippetValues {
  onCopied?: () => void;
}

/** Code for a first call, in several languages. */
export function Snippets({ onCopied, ...values }: SnippetsProps) {
  // Without the key, there is nobody whose limits it could show.
  const snippets = values.apiKey === undefined ? SNIPPETS.filter(({ id }) => id !== 'limits') : SNIPPETS;
  return (
    <Tabs defaultValue="curl" keepMounted={false}>
      <Tabs.List mb="sm" aria-label="Language">
        {snippets.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id} className={classes.tab}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ id, name, text }) => (
        <Tabs.Panel key={id} value={id}>
          <CodeBlock code={text(values)} label={`${name} snippet`} onCopied={onCopied} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
