import { connect, type Socket } from 'node:net';
import { JsonCheck } from './expectations.ts';
import { HttpAnswer } from './http-answer.ts';

interface Call {
  answer: HttpAnswer;
  check: JsonCheck;
  text: string;
  resolve: (isServed: boolean) => void;
  reject: (error: Error) => void;
}

/** A connection for single calls that accepts rejection as an answer. */
export class OneCallConnection {
  isUsable = true;
  readonly #socket: Socket;
  #call: Call | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (data: Buffer) => this.#receive(data));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('end', () => this.#fail(new Error('the server closed the connection')));
  }

  /** True if served, false if rejected. @throws for any other answer. */
  call(request: Buffer): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const check = new JsonCheck();
      const call: Call = { check, text: '', resolve, reject, answer: new HttpAnswer((data) => take(call, data)) };
      this.#call = call;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(data: Buffer): void {
    const call = this.#call;
    try {
      if (!call) throw new Error('unexpected bytes');
      call.answer.push(data);
      if (!call.answer.isWhole) return;
      const isServed = call.answer.status === 200;
      if (isServed) call.check.end();
      else if (call.answer.status !== 503 || !call.text.includes('"overloaded"'))
        throw new Error(`${call.answer.status} ${call.text}`);
      this.#call = undefined;
      call.resolve(isServed);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** A failed or closed connection is not reused. */
  #fail(error: Error): void {
    this.isUsable = false;
    this.#socket.destroy();
    this.#call?.reject(error);
    this.#call = undefined;
  }
}

function take(call: Call, data: Buffer): void {
  if (call.answer.status === 200) call.check.push(data);
  else call.text += data.toString('latin1');
}
