import { type ChildProcess, fork } from 'node:child_process';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The CPU time and memory of a process. */
export type Reading = {
  readonly cpuMicros: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly externalBytes: number;
};

export const readProcess = (): Reading => {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { cpuMicros: user + system, rssBytes: rss, heapBytes: heapUsed, externalBytes: external };
};

type Asked = { readonly name: string; readonly argument?: unknown };
type Answers = Readonly<Record<string, (argument: never) => unknown>>;

/** Sends a hello to the parent process, and answers each of its questions by the function of that name. */
export const answerParent = (hello: object, answers: Answers): void => {
  process.on('message', async ({ name, argument }: Asked) => {
    process.send?.(await answers[name]?.(argument as never));
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.(hello);
};

/** Sends the port of the server to the parent process, and answers its questions. */
export const report = (server: Server, more: Readonly<Record<string, unknown>>, answers: Answers = {}): void =>
  answerParent({ port: (server.address() as AddressInfo).port, ...more }, { read: readProcess, ...answers });

const message = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`A process of the benchmark ended with ${code}.`));
    child.once('exit', ended);
    child.once('message', (value) => {
      child.off('exit', ended);
      resolve(value as T);
    });
  });

export type ChildOptions = {
  /** The destination of its standard output. */
  readonly stdout?: 'inherit' | 'ignore';
  /** The cores that the process may use, in `taskset`'s notation. */
  readonly cores?: string;
  /** Node's own options. */
  readonly nodeOptions?: readonly string[];
};

/** A process of the benchmark, so that its CPU time and memory can be measured. */
export class Child<Hello = unknown> {
  readonly #child: ChildProcess;
  readonly more: Hello;

  protected constructor(child: ChildProcess, hello: Hello) {
    this.#child = child;
    this.more = hello;
  }

  protected static async launch<Hello>(
    script: string,
    env: Record<string, string> = {},
    { stdout = 'inherit', cores, nodeOptions = [] }: ChildOptions = {},
  ): Promise<{ child: ChildProcess; hello: Hello }> {
    const file = fileURLToPath(new URL(script, import.meta.url));
    const pinned =
      cores === undefined
        ? { execArgv: [...nodeOptions] }
        : { execPath: 'taskset', execArgv: ['-c', cores, process.execPath, ...nodeOptions] };
    const child = fork(file, {
      env: { ...process.env, ...env },
      stdio: ['ignore', stdout, 'ignore', 'ipc'],
      serialization: 'advanced',
      ...pinned,
    });
    return { child, hello: await message<Hello>(child) };
  }

  /** Asks the process, and returns its answer. */
  ask<T>(name: string, argument?: unknown): Promise<T> {
    const answer = message<T>(this.#child);
    this.#child.send({ name, argument } satisfies Asked);
    return answer;
  }

  read(): Promise<Reading> {
    return this.ask('read');
  }

  stop(): void {
    this.#child.disconnect();
  }
}

/** A process that runs tasks on request. */
export class ChildWorker extends Child {
  static async start(script: string, env?: Record<string, string>, options?: ChildOptions): Promise<ChildWorker> {
    const { child, hello } = await Child.launch<unknown>(script, env, options);
    return new ChildWorker(child, hello);
  }
}

/** A server in its own process. */
export class ChildServer<More = unknown> extends Child<{ port: number } & More> {
  get port(): number {
    return this.more.port;
  }

  /** Starts the script of a server. */
  static async start<More>(
    script: string,
    env?: Record<string, string>,
    options?: ChildOptions,
  ): Promise<ChildServer<More>> {
    const { child, hello } = await Child.launch<{ port: number } & More>(script, env, options);
    return new ChildServer<More>(child, hello);
  }
}
