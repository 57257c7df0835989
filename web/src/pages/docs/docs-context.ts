import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useState } from 'react';
import { type ModelView, modelsQuery } from '../../api/lists';
import { useSession } from '../../api/session';
import { defaultModel } from '../../kit/default-model';
import { readTab, writeTab } from '../../kit/tab-memory';
import type { DocsValues } from './docs-values';

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
