import { javaScriptLiteral } from '../../snippets/literal';
import type { Code, DocsValues } from './docs-values';
import type { Operation } from './document';

interface Program {
  curl: string;
  python: string;
  node: string;
}

/** The code for what programs read at `/v1`; undefined for all other operations. */
export function readCode({ operationId }: Operation, values: DocsValues): Code[] | undefined {
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
