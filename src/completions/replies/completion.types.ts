import type { Observable } from 'rxjs';
import type { Answer } from '../../upstreams/contract/chat.types.js';
import type { CompletionCall } from '../call/completion.call.js';
import type { Reply } from '../formats/call-format.js';
import type { AnswerRecord } from '../metering/answer.record.js';
import type { ReplyHead } from '../routing/routed-answer.js';

/** An admitted call and its answer. Subscribing to `answer` opens the row and calls the upstream. */
export interface Completion {
  call: CompletionCall;
  head: ReplyHead;
  record: AnswerRecord;
  answer: Observable<Answer>;
  reply: Reply;
  isContentLogged: boolean;
}
