import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type FunctionAnswer, RuntimeApi } from './runtime-api.ts';

/**
 * What runs the bundle. `LAMBDA_RIC` may name the `index.mjs` of an installed `aws-lambda-ric`, Amazon's own runtime
 * client: it has to be compiled where it is installed, so no test depends on it.
 */
const RUNTIME = process.env['LAMBDA_RIC'] || join(import.meta.dirname, 'runtime.ts');

export type InstanceOptions = {
  readonly bundle: string;
  readonly env: Readonly<Record<string, string>>;
  /** A line that the function wrote to its standard output: what CloudWatch would get. */
  readonly onLine: (line: string) => void;
};

/** One instance of a function: a process of its own that sees nothing but its bundle and its variables. */
export class Instance {
  readonly #api: RuntimeApi;
  readonly #child: ChildProcess;
  #free: Promise<unknown> = Promise.resolve();
  #calls = 0;

  private constructor(api: RuntimeApi, child: ChildProcess) {
    this.#api = api;
    this.#child = child;
  }

  static async start({ bundle, env, onLine }: InstanceOptions): Promise<Instance> {
    const api = new RuntimeApi();
    const child = spawn(process.execPath, [RUNTIME, 'index.handler'], {
      env: {
        ...env,
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

  /** Calls that are under way or wait; an instance works on one at a time. */
  get calls(): number {
    return this.#calls;
  }

  /** `settled` has to be called when the answer was read to its end: only then the next event is handed out. */
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
