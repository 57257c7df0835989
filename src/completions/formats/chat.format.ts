import { undecodableModel } from '../../common/gateway.error.js';
import type { CallFormat, Reply } from './call-format.js';
import { toChatRequest } from './chat-completion-request.js';
import { isJsonObject } from './structure.checks.js';

/** OpenAI's Chat Completions: the inner form itself. */
export const chatFormat: CallFormat = {
  api: 'chat.completions',

  read(body) {
    const request = toChatRequest(body);
    return { request, charged: request, native: null, reply: () => chatReply };
  },
};

/** Stateless, so all calls share it. */
export const chatReply: Reply = {
  heartbeat: ': ping\n\n',
  whole: (completion) => JSON.stringify(completion),
  next: (chunk) => `data: ${JSON.stringify(chunk)}\n\n`,
  end: () => 'data: [DONE]\n\n',
  fail: ({ body }) => `data: ${JSON.stringify({ error: body })}\n\n`,
};

const DEPLOYMENT = /\/deployments\/(.+?)\/(?:chat\/completions|embeddings|completions)\/?$/i;

/** The same format at Azure's path `/openai/deployments/{model}/…`, whose model overrides the body's. */
export function ofDeployment(format: CallFormat): CallFormat {
  return {
    ...format,
    modelIn: ({ path }) => deploymentIn(path),
    read: (body, request) => format.read(withModel(body, deploymentIn(request.path)), request),
  };
}

/** A body that is not an object is left to the format's own check. */
function withModel(body: unknown, model: string): unknown {
  return isJsonObject(body) ? { ...body, model } : body;
}

function deploymentIn(path: string): string {
  try {
    return decodeURIComponent(DEPLOYMENT.exec(path)?.[1] ?? '');
  } catch {
    throw undecodableModel();
  }
}
