import type { ChatCompletionRequest } from '../../chat.types.js';

const MAX_QUOTED = 200;

/** What the simulator says: that it is one, and what it was asked. */
export function simulatedText(request: ChatCompletionRequest, model: string): string {
  const asked = lastUserText(request);
  const quoted = asked.length > MAX_QUOTED ? `${asked.slice(0, MAX_QUOTED)}…` : asked;
  const format = request.response_format?.type;
  if (format === 'json_object' || format === 'json_schema')
    return JSON.stringify({ simulated: true, model, asked: quoted });
  return (
    `This is a simulated answer: no upstream is configured for the model ${model}, so nobody was asked. ` +
    `Set the API key of its upstream to get real answers. You wrote: "${quoted}"`
  );
}

function lastUserText({ messages }: ChatCompletionRequest): string {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
}
