import { REQUEST_SNIPPETS, type SnippetRequest } from '../../snippets/request-snippets';
import { type Json, javaScriptLiteral, SNIPPET_APIS, type SnippetApi } from '../../snippets/snippet-api';
import { type Code, type DocsValues, originOf } from './code-tabs';
import { type ApiDocument, jsonBody, type Operation } from './document';
import { exampleBody, exampleOf } from './shape';

const [CHAT, RESPONSES, MESSAGES] = SNIPPET_APIS as readonly [SnippetApi, SnippetApi, SnippetApi];

const EMBEDDINGS: SnippetApi = {
  ...CHAT,
  path: '/embeddings',
  python: { ...CHAT.python, call: 'embeddings.create', print: 'print([len(item.embedding) for item in answer.data])' },
  node: {
    ...CHAT.node,
    call: 'embeddings.create',
    print: 'console.log(answer.data.map((item) => item.embedding.length));',
  },
};

const COMPLETIONS: SnippetApi = {
  ...CHAT,
  path: '/completions',
  python: { ...CHAT.python, call: 'completions.create', print: 'print(answer.choices[0].text)' },
  node: { ...CHAT.node, call: 'completions.create', print: 'console.log(answer.choices[0].text);' },
};

const COUNT_TOKENS: SnippetApi = {
  ...MESSAGES,
  path: '/messages/count_tokens',
  python: { ...MESSAGES.python, call: 'messages.count_tokens', print: 'print(answer.input_tokens)' },
  node: { ...MESSAGES.node, call: 'messages.countTokens', print: 'console.log(answer.input_tokens);' },
};

interface Program {
  curl: string;
  python: string;
  node: string;
}

/** The code for what programs read at `/v1`; undefined for all other operations. */
function readCode({ operationId }: Operation, values: DocsValues): Code[] | undefined {
  const program = PROGRAMS[operationId]?.(values);
  if (!program) return undefined;
  return [
    { id: 'curl', name: 'curl', code: program.curl },
    { id: 'python', name: 'Python', code: pythonHead(values) + program.python },
    { id: 'node', name: 'Node', code: nodeHead(values) + program.node },
  ];
}

const AUTHORIZATION = '-H "Authorization: Bearer $OPENAI_API_KEY"';

const PROGRAMS: Readonly<Record<string, ((values: DocsValues) => Program) | undefined>> = {
  listModels: ({ baseUrl }) => ({
    curl: `curl ${baseUrl}/models \\\n  ${AUTHORIZATION}\n`,
    python: 'for model in client.models.list():\n    print(model.id)\n',
    node: 'for await (const model of client.models.list()) console.log(model.id);\n',
  }),
  getKey: ({ baseUrl }) => ({
    curl: `curl ${baseUrl}/key \\\n  ${AUTHORIZATION}\n`,
    python: 'print(client.get("/key", cast_to=object))\n',
    node: "console.log(await client.get('/key'));\n",
  }),
  getModel: ({ baseUrl, model }) => ({
    curl: `curl ${baseUrl}/models/${model} \\\n  ${AUTHORIZATION}\n`,
    python: `model = client.get(${JSON.stringify(`/models/${model}`)}, cast_to=object)\nprint(model)\n`,
    node: `console.log(await client.get(${javaScriptLiteral(`/models/${model}`)}));\n`,
  }),
  getRequest: ({ baseUrl, model }) => ({
    curl: `ID=$(curl -s -o answer.json -w '%header{x-request-id}' ${baseUrl}/chat/completions \\
  ${AUTHORIZATION} -H "Content-Type: application/json" \\
  -d '${JSON.stringify(hello(model))}')
curl ${baseUrl}/requests/$ID ${AUTHORIZATION}\n`,
    python: `answer = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Say hello."}],
)
print(client.get(f"/requests/{answer.id}", cast_to=object))\n`,
    node: `const answer = await client.chat.completions.create({
  model: ${javaScriptLiteral(model)},
  messages: [{ role: 'user', content: 'Say hello.' }],
});
console.log(await client.get(\`/requests/\${answer.id}\`));\n`,
  }),
};

function hello(model: string) {
  return { model, messages: [{ role: 'user', content: 'Say hello.' }] };
}

function pythonHead({ baseUrl }: DocsValues): string {
  return `# pip install openai
import os

from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=os.environ["OPENAI_API_KEY"],
)

`;
}

function nodeHead({ baseUrl }: DocsValues): string {
  return `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${javaScriptLiteral(baseUrl)},
  apiKey: process.env.OPENAI_API_KEY,
});

`;
}

/** The APIs by the path of their calls. */
export const APIS: Readonly<Record<string, SnippetApi | undefined>> = {
  '/v1/chat/completions': CHAT,
  '/v1/responses': RESPONSES,
  '/v1/messages': MESSAGES,
  '/v1/messages/count_tokens': COUNT_TOKENS,
  '/v1/embeddings': EMBEDDINGS,
  '/v1/completions': COMPLETIONS,
};

/** A call in every language that people call it from. */
export function operationCode(operation: Operation, { components }: ApiDocument, values: DocsValues): Code[] {
  const body = jsonBody(operation);
  const example = body && exampleBody(body, components.schemas);
  const api = APIS[operation.path];
  if (api && example) return requestCode(api, example, values);
  return (
    readCode(operation, values) ?? [{ id: 'curl', name: 'curl', code: toCurl(operation, example, components, values) }]
  );
}

/** A request in the form of an API, to a model of the person. */
export function requestCode(api: SnippetApi, example: Json, values: DocsValues): Code[] {
  const model = api === EMBEDDINGS ? values.embeddingModel : values.model;
  const request: SnippetRequest = { ...(example as object), model };
  return REQUEST_SNIPPETS.map(({ id, name, toCode }) => ({
    id,
    name,
    code: toCode(values.baseUrl, request, undefined, api),
  }));
}

function toCurl(
  operation: Operation,
  body: Json | undefined,
  components: ApiDocument['components'],
  values: DocsValues,
) {
  const { method, path, security = [], parameters = [] } = operation;
  const query = parameters.filter((one) => one.in === 'query' && one.required);
  const pairs = query.map(({ name, schema = {} }) => [name, String(exampleOf(schema, components.schemas))]);
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  const address = originOf(values) + path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`) + search;
  const given = path.endsWith('/session') && body ? { email: values.email, password: '$PASSWORD' } : body;
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}"`,
    credentials(operation, security.length > 0),
    ...(given === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${bodyText(given)}`]),
  ];
  return `${variables(path)}${parts.filter(Boolean).join(' \\\n  ')}\n`;
}

/** An access token; a session has a cookie, which signing in writes to a file. */
function credentials({ path, method }: Operation, isProtected: boolean): string {
  if (path === '/api/session') return method === 'post' ? '-c cookies.txt' : '-b cookies.txt';
  return isProtected ? '-H "Authorization: Bearer $GATEWAY_TOKEN"' : '';
}

/** In double quotes if the shell has to fill in a variable. */
function bodyText(body: Json): string {
  const short = JSON.stringify(body);
  if (short.includes('$PASSWORD')) return `"${short.replaceAll('"', '\\"')}"`;
  const text = short.length <= 100 ? short : JSON.stringify(body, null, 2);
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function variables(path: string): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.map((name) => `# ${name.toUpperCase()} holds the ${name} in the address.\n`).join('');
}
