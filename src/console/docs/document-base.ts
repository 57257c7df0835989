import { DocumentBuilder } from '@nestjs/swagger';

const about = `One gateway in front of every model provider that your company uses, for clients of OpenAI’s and Anthropic’s APIs.

- **\`/v1\`** is for programs. Send \`Authorization: Bearer svc_…\` with a key from the console (or the key as
  \`x-api-key\` or \`api-key\`). \`/openai/v1\`
  mirrors it, with OpenAI's list of models as its default, for clients where only the base URL can be set.
- **\`/api\`** is the API of the console and of automation. It takes \`Authorization: Bearer gat_…\` with an access token, or
  the session cookie of a signed-in person, never a key. \`x-permission\` names the permission that an operation needs, and
  \`x-reach\` for what: everything (\`all\`), a \`project\`, or what is the caller's \`own\`.

Every response has an \`x-request-id\`; errors have OpenAI’s format, at \`/v1/messages\` Anthropic’s.`;

const tags: Record<string, string> = {
  'Chat completions': 'Conversations with models, in OpenAI’s format.',
  Responses: 'Conversations with models, in OpenAI’s newer format.',
  Messages: 'Conversations with models, in Anthropic’s format.',
  Embeddings: 'Texts as vectors, in OpenAI’s format.',
  'Models of a key': 'The models that the key can use.',
  Health: 'For orchestrators and load balancers; without a key.',
};

/** The document without paths: what the API is, who can call it, and how to authenticate. */
export function documentBase() {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Chat Completion Gateway')
    .setDescription(about)
    .setVersion('1')
    .addServer('/', 'This gateway')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'svc_…', description: 'An API key, for `/v1`.' },
      'key',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'gat_…', description: 'An access token, for `/api`.' },
      'token',
    )
    .addCookieAuth('gateway_session', { type: 'apiKey', description: 'Signing in to the console sets it.' }, 'session');
  for (const [name, description] of Object.entries(tags)) builder.addTag(name, description);
  return builder.build();
}
