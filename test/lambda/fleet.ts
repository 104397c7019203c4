import { Instance, type InstanceOptions } from './instance.ts';

/** The instances of one function. A call starts another instance if all are busy, up to `most`, and waits otherwise. */
export class Fleet {
  readonly #options: InstanceOptions;
  readonly #most: number;
  readonly #instances: Promise<Instance>[] = [];

  constructor(options: InstanceOptions, most = 2) {
    this.#options = options;
    this.#most = most;
  }

  async invoke(event: string): ReturnType<Instance['invoke']> {
    return (await this.#leastBusy()).invoke(event);
  }

  /** The process ids of the started instances. */
  async pids(): Promise<number[]> {
    return (await Promise.all(this.#instances)).map(({ pid }) => pid);
  }

  async stop(): Promise<void> {
    for (const instance of await Promise.all(this.#instances)) instance.stop();
  }

  async #leastBusy(): Promise<Instance> {
    const started = await Promise.all(this.#instances);
    const [least] = started.toSorted((a, b) => a.calls - b.calls);
    if (least && (least.calls === 0 || this.#instances.length >= this.#most)) return least;
    const another = Instance.start(this.#options);
    this.#instances.push(another);
    return another;
  }
}
