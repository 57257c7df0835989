/** Queries from the bench to its child processes over IPC. */

export interface Question {
  id: number;
  name: string;
  argument: unknown;
}

export type Answer = { id: number; value: unknown } | { id: number; error: string };

type Handler = (argument: never) => unknown;

/** Handles the named queries and leaves others to other listeners. */
export function answerQuestions(handlers: Record<string, Handler>): void {
  process.on('message', (message: Question) => {
    const handler = handlers[message.name];
    if (handler) void reply(message, handler);
  });
}

async function reply({ id, argument }: Question, handler: Handler): Promise<void> {
  let answer: Answer;
  try {
    answer = { id, value: await handler(argument as never) };
  } catch (error) {
    answer = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send?.(answer);
}
