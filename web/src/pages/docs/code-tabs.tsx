import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useState } from 'react';
import { type ModelView, modelsQuery } from '../../api/lists';
import { useSession } from '../../api/session';
import { CodeBlock } from '../../kit/code-block';
import { readTab, writeTab } from '../../kit/url-state';
import { defaultModel } from '../../kit/words';

/** The values in the code on these pages: this gateway, and models that the person can call. */
export interface DocsValues {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly embeddingModel: string;
  readonly email: string;
}

export interface Code {
  /** `curl`, `python`, `node`, or another language of a guide. */
  readonly id: string;
  readonly name: string;
  readonly code: string;
}

/** The gateway's address without `/v1`. */
export function originOf({ baseUrl }: DocsValues): string {
  return baseUrl.replace(/\/v1$/, '');
}

interface Docs {
  readonly values: DocsValues;
  /** The language of all code: `curl`, `python`, `node`. */
  readonly language: string;
  readonly chooseLanguage: (language: string) => void;
}

export const DocsContext = createContext<Docs | null>(null);

/** What all code on the page has in common. */
export function useDocs(): Docs {
  const docs = useContext(DocsContext);
  if (!docs) throw new Error('Code is drawn only within the documentation.');
  return docs;
}

const LANGUAGE = 'docs-language';

/** The values of the page; undefined until the models are known. */
export function useDocsOfSession(): Docs | undefined {
  const { baseUrl, user } = useSession();
  const { data: models, isError } = useQuery(modelsQuery);
  const [language, setLanguage] = useState(() => readTab(LANGUAGE) ?? 'curl');
  if (!models && !isError) return undefined;
  const values = {
    baseUrl,
    email: user.email,
    model: defaultModel(models ?? [])?.id ?? 'MODEL',
    embeddingModel: exampleEmbedding(models ?? []) ?? 'MODEL',
  };
  const chooseLanguage = (next: string) => {
    setLanguage(next);
    writeTab(LANGUAGE, next);
  };
  return { values, language, chooseLanguage };
}

function exampleEmbedding(models: readonly ModelView[]): string | undefined {
  const usable = models.filter(({ callable, kind }) => callable && kind === 'embedding');
  return (usable.find(({ simulated }) => !simulated) ?? usable[0])?.id;
}

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
