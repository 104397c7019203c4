import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { RACES } from './racer.ts';

export type Race = keyof typeof RACES;

/** Three processes on one store that run the same task at once. */
export type Racers = {
  /** Runs a task in each process with its own input. Returns the results of all. */
  readonly race: <T>(race: Race, inputs: readonly unknown[]) => Promise<T[]>;
  readonly stop: () => void;
};

/** Starts a process for each input of a race. They open the store before each race, and begin together. */
export const startRacers = (count: number, env: NodeJS.ProcessEnv): Racers => {
  const children = Array.from({ length: count }, () =>
    fork('test/processes/racer.ts', { env: { ...process.env, ...env } }),
  );
  const each = (message: (n: number) => unknown): Promise<unknown[]> => {
    const answered = children.map(async (child) => (await once(child, 'message'))[0]);
    for (const [n, child] of children.entries()) child.send(message(n) as object);
    return Promise.all(answered);
  };
  const race = async <T>(name: Race, inputs: readonly unknown[]): Promise<T[]> => {
    await each((n) => ({ race: name, input: inputs[n] }));
    return (await each(() => 'go')).flat() as T[];
  };
  return { race, stop: () => children.forEach((child: ChildProcess) => void child.kill()) };
};
