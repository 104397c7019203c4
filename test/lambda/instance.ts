import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type FunctionAnswer, RuntimeApi } from './runtime-api.ts';

/**
 * The runtime client that runs the bundle. `LAMBDA_RIC` may name the `index.mjs` of an installed `aws-lambda-ric`,
 * Amazon's runtime client. No test depends on it, because its installation compiles code.
 */
const RUNTIME = process.env['LAMBDA_RIC'] || join(import.meta.dirname, 'runtime.ts');

export type InstanceOptions = {
  readonly bundle: string;
  /** The function's environment variables, read when an instance starts. */
  readonly env: () => Readonly<Record<string, string>>;
  /** Receives each line of the function's standard output, which goes to CloudWatch in production. */
  readonly onLine: (line: string) => void;
  /** The timeout of a call; that of requests by default. */
  readonly timeoutMs?: number | undefined;
};

/** One instance of a function: a separate process with only its bundle and its variables. */
export class Instance {
  readonly #api: RuntimeApi;
  readonly #child: ChildProcess;
  #free: Promise<unknown> = Promise.resolve();
  #calls = 0;

  private constructor(api: RuntimeApi, child: ChildProcess) {
    this.#api = api;
    this.#child = child;
  }

  static async start({ bundle, env, onLine, timeoutMs }: InstanceOptions): Promise<Instance> {
    const api = new RuntimeApi(timeoutMs);
    const child = spawn(process.execPath, [RUNTIME, 'index.handler'], {
      env: {
        // Each mount starts a process of each function that it calls, and all of them load the same files.
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ...env(),
        AWS_LAMBDA_RUNTIME_API: await api.listen(),
        _HANDLER: 'index.handler',
        LAMBDA_TASK_ROOT: bundle,
        AWS_LAMBDA_FUNCTION_NAME: 'tested',
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
        AWS_LAMBDA_LOG_GROUP_NAME: 'tested',
        AWS_LAMBDA_LOG_STREAM_NAME: 'tested',
        AWS_LAMBDA_LOG_FORMAT: 'JSON',
        NODE_NO_WARNINGS: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', onLine);
    child.once('exit', (code) => api.fail(`The function’s process ended with code ${code}.`));
    return new Instance(api, child);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** The number of running and waiting calls. An instance runs one at a time. */
  get calls(): number {
    return this.#calls;
  }

  /** Invokes the function. The caller calls `settled` after it has read the whole result. The next call starts then. */
  async invoke(event: string): Promise<{ answer: FunctionAnswer; settled: () => void }> {
    const before = this.#free;
    const { promise, resolve: settled } = Promise.withResolvers<void>();
    this.#free = promise;
    this.#calls += 1;
    await before;
    const done = (): void => {
      this.#calls -= 1;
      settled();
    };
    return { answer: await this.#api.invoke(event), settled: done };
  }

  stop(): void {
    this.#child.kill();
    this.#api.close();
  }
}
