import type { LoggedChoice } from '../../content-log/content.types.js';
import type { Answer, CalledFunction, ChatDelta, ChatResponseMessage } from '../../upstreams/contract/chat.types.js';

interface Tool {
  name: string;
  arguments: string;
}

type Written = Omit<LoggedChoice, 'index' | 'toolCalls'> & { readonly tools: Map<number, Tool> };
type Choice = { -readonly [Name in keyof Written]: Written[Name] };

/** Joins the pieces of an answer, up to a number of characters. */
export class AnswerContent {
  isCut = false;
  private readonly choices = new Map<number, Choice>();

  constructor(private left: number) {}

  see({ choices }: Answer): void {
    for (const choice of choices) {
      const known = this.choiceAt(choice.index);
      known.finishReason ??= choice.finish_reason;
      this.seeText(known, 'delta' in choice ? choice.delta : choice.message);
    }
  }

  logged(): LoggedChoice[] {
    return [...this.choices].map(([index, { tools, ...choice }]) => ({
      index,
      ...choice,
      toolCalls: [...tools.values()],
    }));
  }

  private choiceAt(index: number): Choice {
    const known = this.choices.get(index);
    if (known) return known;
    const choice: Choice = { reasoning: '', content: '', refusal: '', finishReason: null, tools: new Map() };
    this.choices.set(index, choice);
    return choice;
  }

  private seeText(choice: Choice, said: ChatDelta | ChatResponseMessage): void {
    const { content, refusal, reasoning_content: reasoning, tool_calls: calls = [], function_call: called } = said;
    choice.content += this.taken(content);
    choice.refusal += this.taken(refusal);
    choice.reasoning += this.taken(reasoning);
    if (called) this.seeCalled(choice, 0, called);
    for (const [position, call] of calls.entries()) {
      const index = 'index' in call ? Number(call.index) : position;
      if ('function' in call && call.function) this.seeCalled(choice, index, call.function);
      else if ('custom' in call) {
        const { name = '', input = '' } = call.custom as { name?: string; input?: string };
        this.seeCalled(choice, index, { name, arguments: input });
      }
    }
  }

  private seeCalled(choice: Choice, index: number, called: CalledFunction): void {
    const tool = choice.tools.get(index) ?? { name: '', arguments: '' };
    tool.name += this.taken(called.name);
    tool.arguments += this.taken(called.arguments);
    choice.tools.set(index, tool);
  }

  private taken(text: string | null | undefined): string {
    if (!text) return '';
    if (text.length > this.left) this.isCut = true;
    const taken = text.slice(0, this.left);
    this.left -= taken.length;
    return taken;
  }
}
