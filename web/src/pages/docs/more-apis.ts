import { SNIPPET_APIS, type SnippetApi } from '../../snippets/snippet-api';

const [CHAT, , MESSAGES] = SNIPPET_APIS as readonly [SnippetApi, SnippetApi, SnippetApi];

export const EMBEDDINGS: SnippetApi = {
  ...CHAT,
  path: '/embeddings',
  python: { ...CHAT.python, call: 'embeddings.create', print: 'print([len(item.embedding) for item in answer.data])' },
  node: {
    ...CHAT.node,
    call: 'embeddings.create',
    print: 'console.log(answer.data.map((item) => item.embedding.length));',
  },
};

export const COMPLETIONS: SnippetApi = {
  ...CHAT,
  path: '/completions',
  python: { ...CHAT.python, call: 'completions.create', print: 'print(answer.choices[0].text)' },
  node: { ...CHAT.node, call: 'completions.create', print: 'console.log(answer.choices[0].text);' },
};

export const COUNT_TOKENS: SnippetApi = {
  ...MESSAGES,
  path: '/messages/count_tokens',
  python: { ...MESSAGES.python, call: 'messages.count_tokens', print: 'print(answer.input_tokens)' },
  node: { ...MESSAGES.node, call: 'messages.countTokens', print: 'console.log(answer.input_tokens);' },
};
