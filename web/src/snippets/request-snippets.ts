import { type Json, javaScriptLiteral, pythonLiteral } from './literal';

export interface SnippetRequest {
  readonly model: string;
  readonly stream?: boolean | null;
  readonly [field: string]: unknown;
}

export interface RequestSnippet {
  readonly id: 'curl' | 'python' | 'node';
  readonly name: string;
  /** The program that sends the request; without a key it takes one from the environment. */
  readonly toCode: (baseUrl: string, request: SnippetRequest, apiKey?: string) => string;
}

/** A body of at most this many characters stays on one line. */
const SHORT_BODY = 120;

/** A whole request in each language. */
export const REQUEST_SNIPPETS: readonly RequestSnippet[] = [
  { id: 'curl', name: 'curl', toCode: toCurl },
  { id: 'python', name: 'Python', toCode: toPython },
  { id: 'node', name: 'Node', toCode: toNode },
];

function toCurl(baseUrl: string, request: SnippetRequest, apiKey?: string): string {
  const short = JSON.stringify(request);
  const body = short.length <= SHORT_BODY ? short : JSON.stringify(request, null, 2);
  return `curl ${request.stream ? '-N ' : ''}${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${apiKey ?? '$OPENAI_API_KEY'}" \\
  -H "Content-Type: application/json" \\
  -d '${body.replaceAll("'", "'\\''")}'
`;
}

function toPython(baseUrl: string, request: SnippetRequest, apiKey?: string): string {
  const fields = fieldsOf(request).map(([name, value]) => `    ${name}=${pythonLiteral(value, 1)},\n`);
  const print = request.stream
    ? `for chunk in answer:
    if chunk.choices and chunk.choices[0].delta.content:
        print(chunk.choices[0].delta.content, end="", flush=True)
print()`
    : 'print(answer.choices[0].message.content)';
  return `# pip install openai
${apiKey ? '' : 'import os\n\n'}from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(baseUrl)},
    api_key=${apiKey ? JSON.stringify(apiKey) : 'os.environ["OPENAI_API_KEY"]'},
)

answer = client.chat.completions.create(
${fields.join('')})
${print}
`;
}

function toNode(baseUrl: string, request: SnippetRequest, apiKey?: string): string {
  const fields = fieldsOf(request).map(([name, value]) => `  ${name}: ${javaScriptLiteral(value, 1)},\n`);
  const print = request.stream
    ? `for await (const chunk of answer) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}
console.log();`
    : 'console.log(answer.choices[0].message.content);';
  return `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${javaScriptLiteral(baseUrl)},
  apiKey: ${apiKey ? javaScriptLiteral(apiKey) : 'process.env.OPENAI_API_KEY'},
});

const answer = await client.chat.completions.create({
${fields.join('')}});
${print}
`;
}

function fieldsOf(request: SnippetRequest): [string, Json][] {
  return Object.entries(JSON.parse(JSON.stringify(request)) as Record<string, Json>);
}
