import { Injectable } from '@nestjs/common';
import { finalize, type Observable, tap } from 'rxjs';
import { InjectSettings, type Settings } from '../../config/settings.js';
import { ContentLogService } from '../../content-log/content-log.service.js';
import type { Answer } from '../../upstreams/contract/chat.types.js';
import type { CompletionCall } from '../call/completion.call.js';
import { AnswerContent } from './answer-content.js';
import { boundedCopy } from './bounded-copy.js';

/** Records prompts and answers of callers that opted in. */
@Injectable()
export class ContentRecorderService {
  constructor(
    private readonly log: ContentLogService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  isOnFor({ caller }: CompletionCall): boolean {
    return caller.logsContent && this.log.isPossible;
  }

  /** The same answer. Its content is stored when it has ended in any way. */
  recorded(call: CompletionCall, answer: Observable<Answer>): Observable<Answer> {
    const { maxSize } = this.settings.contentLog;
    const request = boundedCopy(call.request, maxSize);
    const said = new AnswerContent(maxSize);
    const { id, caller, startedAt } = call;
    const logged = { id, at: startedAt, keyId: caller.keyId, userId: caller.userId };
    return answer.pipe(
      tap((part) => said.see(part)),
      finalize(() => {
        this.log.add(logged, {
          request: request.copy as Record<string, unknown>,
          answer: said.logged(),
          isCut: request.isCut || said.isCut,
        });
      }),
    );
  }
}
