import { undecodableModel } from '../../common/gateway.errors.js';
import { isJsonObject } from '../dto/structure-checks.js';
import type { CallFormat } from './call-format.js';

const DEPLOYMENT = /\/deployments\/(.+?)\/(?:chat\/completions|embeddings|completions)\/?$/i;

/** The same format at Azure's path `/openai/deployments/{model}/…`, whose model overrides the body's. */
export function ofDeployment(format: CallFormat): CallFormat {
  return {
    ...format,
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
