import { REQUEST_SNIPPETS } from '../snippets/request-snippets';

export interface SnippetValues {
  /** `https://gateway.example/v1` */
  baseUrl: string;
  model: string;
  /** The key itself if it is shown now; otherwise snippets read it from the environment. */
  apiKey?: string;
}

export interface Snippet {
  id: 'curl' | 'python' | 'node' | 'env';
  name: string;
  text: (values: SnippetValues) => string;
}

/** A first call in each language, and variables for the environment of a program. */
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
];

function firstRequest(model: string) {
  return { model, messages: [{ role: 'user', content: 'Hello!' }] };
}
