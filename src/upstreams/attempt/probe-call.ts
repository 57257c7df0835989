import type { Observable } from 'rxjs';
import { idGenerator } from '../../common/ids.js';
import type { ModelSettings } from '../../config/models.settings.js';
import type { AttemptService } from '../attempt.service.js';
import type { Answer } from '../contract/chat.types.js';
import type { EmbeddingBody } from '../contract/native.body.js';
import type { LiveTarget } from '../target.types.js';

const newCallId = idGenerator('chatcmpl-');

export interface OwnQuestion {
  readonly text: string;
  readonly maxTokens: number;
  readonly stream?: boolean;
}

/** A call of the gateway itself, which involves no key, plan or ledger: an answer to the text, or its embedding. */
export function ownCall(
  attempts: AttemptService,
  model: ModelSettings,
  target: LiveTarget,
  { text, maxTokens, stream }: OwnQuestion,
  deadline: number,
): Observable<Answer> {
  const call = {
    id: newCallId(),
    startedAt: new Date(),
    modelName: model.id,
    model: { ...model, price: { isPaid: false } },
  };
  const messages = [{ role: 'user' as const, content: text }];
  const request = { model: model.id, messages, max_tokens: maxTokens, stream };
  const native = model.kind === 'embedding' ? embeddingBody(text) : null;
  return attempts.prepare(call, request, target, deadline, target.upstream.clocks, native).answer;
}

function embeddingBody(text: string): EmbeddingBody {
  return {
    api: 'embeddings',
    fields: { input: [text] },
    headers: {},
    inputs: [text],
    offset: 0,
    dimensions: null,
    encoding: 'float',
  };
}
