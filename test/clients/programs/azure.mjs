// Azure's clients of OpenAI's SDK and of the Vercel AI SDK: their paths, their key's header, the deployment as the model.
import { createAzure } from '@ai-sdk/azure';
import { embed, generateText } from 'ai';
import { AzureOpenAI } from 'openai';

const { GATEWAY_URL, GATEWAY_KEY, MODEL, EMBEDDINGS_MODEL } = process.env;
const settings = { endpoint: GATEWAY_URL, apiKey: GATEWAY_KEY, apiVersion: '2025-04-01-preview', maxRetries: 0 };
const client = new AzureOpenAI(settings);
const deployment = new AzureOpenAI({ ...settings, deployment: MODEL });
const messages = [{ role: 'user', content: 'How is the weather in Paris?' }];

const chat = await client.chat.completions.create({ model: MODEL, messages });
const named = await deployment.chat.completions.create({ model: '', messages });
const streamed = await client.chat.completions.stream({ model: MODEL, messages }).finalContent();
const response = await client.responses.create({ model: MODEL, input: 'How is the weather in Paris?' });
const vectors = await client.embeddings.create({ model: EMBEDDINGS_MODEL, input: 'Hello' });

const azure = createAzure({ baseURL: `${GATEWAY_URL}/openai/v1`, apiKey: GATEWAY_KEY });
const prompt = messages[0].content;
const generated = await generateText({ model: azure(MODEL), prompt });
const completed = await generateText({ model: azure.chat(MODEL), prompt });
const { embedding } = await embed({ model: azure.textEmbeddingModel(EMBEDDINGS_MODEL), value: 'Hello' });
console.log(
  JSON.stringify({
    texts: [
      chat.choices[0].message.content,
      named.choices[0].message.content,
      streamed,
      response.output_text,
      generated.text,
      completed.text,
    ],
    embeddings: [vectors.data[0].embedding, embedding],
  }),
);
