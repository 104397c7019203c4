import { ChildWorker } from './child.ts';
import type { Closed, Open } from './load.ts';

/** License checks, or requests of the same form to another path. */
export type Checks = {
  readonly port: number;
  readonly key: string;
  readonly devices: number;
  readonly path?: string;
};

export type ClosedJob = Checks & { readonly count: number; readonly connections: number };
export type OpenJob = Checks & { readonly rate: number; readonly seconds: number };

/** A client in its own process, so that its work takes no time from the one that measures. */
export class LoadClient {
  readonly #worker: ChildWorker;

  private constructor(worker: ChildWorker) {
    this.#worker = worker;
  }

  static async start(cores?: string): Promise<LoadClient> {
    return new LoadClient(await ChildWorker.start('./servers/client.ts', {}, cores === undefined ? {} : { cores }));
  }

  closed(job: ClosedJob): Promise<Closed> {
    return this.#worker.ask('closed', job);
  }

  open(job: OpenJob): Promise<Open> {
    return this.#worker.ask('open', job);
  }

  stop(): void {
    this.#worker.stop();
  }
}
