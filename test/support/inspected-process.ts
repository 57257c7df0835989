import { once } from 'node:events';
import { eventually } from './eventually.js';
import type { GatewayProcess } from './gateway-process.js';

export interface ProcessState {
  /** Bytes after a full collection: JavaScript objects and their buffers. */
  live: number;
  /** Active resources of the event loop by kind, for example `Timeout` or `TCPSocketWrap`. */
  resources: Record<string, number>;
}

const EXPRESSION = `JSON.stringify((({ heapUsed, external }) => ({
  live: heapUsed + external,
  resources: process.getActiveResourcesInfo().reduce((sum, kind) => ({ ...sum, [kind]: (sum[kind] ?? 0) + 1 }), {}),
}))(process.memoryUsage()))`;

/** Lets a process be inspected: on any free port, opened on demand. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=0' };

/** Inspects a gateway's process through Node's inspector, opened by a signal. */
export class InspectedProcess {
  private requested = 0;

  private constructor(private readonly socket: WebSocket) {}

  static async open(gateway: GatewayProcess): Promise<InspectedProcess> {
    gateway.child.kill('SIGUSR1');
    const address = await eventually(() => /Debugger listening on (ws:\S+)/.exec(gateway.stderr)?.[1]);
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return new InspectedProcess(socket);
  }

  /** After two full collections: the first only queues finalizers. */
  async collected(): Promise<ProcessState> {
    await this.ask('HeapProfiler.collectGarbage');
    await this.ask('HeapProfiler.collectGarbage');
    return JSON.parse((await this.evaluate(EXPRESSION)) as string);
  }

  /** The result of a JavaScript expression in the process. */
  async evaluate(expression: string): Promise<unknown> {
    const requested = { expression, returnByValue: true };
    const { result } = (await this.ask('Runtime.evaluate', requested)) as { result: { value?: unknown } };
    return result.value;
  }

  close(): void {
    this.socket.close();
  }

  private ask(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.requested;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => {
      const listen = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data)) as { id?: number; result?: unknown };
        if (answer.id !== id) return;
        this.socket.removeEventListener('message', listen);
        resolve(answer.result);
      };
      this.socket.addEventListener('message', listen);
    });
  }
}
