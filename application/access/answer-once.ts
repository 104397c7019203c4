import { judgeReplay, type Replay } from '../../domain/access/replay.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { ReplayKey, Replays } from '../../ports/outbound/replays.ts';
import type { Admission } from '../shared/admission.ts';

type Ports = { replays: Replays; clock: Clock };

type Request = {
  readonly key: ReplayKey;
  /** Hash of all that is asked. */
  readonly fingerprint: string;
  readonly admitted: Admission;
  readonly work: () => Promise<Outcome<unknown, string>>;
};

export type AnsweredOnce = {
  /** That of the work, `idempotency_key_reused` or `idempotency_key_in_use`. */
  readonly outcome: Outcome<unknown, string>;
  /** The answer is that of an earlier request. */
  readonly replayed: boolean;
};

/**
 * Does the work of a request once, however often it is sent under its key within a day, and answers each time as the
 * first time. A refusal or a fault leaves the key free, so that a request can be mended and sent again.
 */
export class AnswerOnce {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(request: Request): Promise<AnsweredOnce> {
    const { replays, clock } = this.#ports;
    const { key, fingerprint, admitted } = request;
    await admitted;
    const begun: Replay = { fingerprint, begun_at: clock.now(), answer: null, answered: false };
    // Most keys are new: taken at once, and only read where that fails.
    if (await replays.begin(key, begun, { version: null })) return this.#work(request, begun);
    const read = await replays.read(key);
    switch (judgeReplay(read.replay, fingerprint, begun.begun_at)) {
      case 'answered':
        return { outcome: ok(read.replay?.answer), replayed: true };
      case 'reused':
        return { outcome: refuse('idempotency_key_reused'), replayed: false };
      case 'in_use':
        return { outcome: refuse('idempotency_key_in_use'), replayed: false };
      case 'begin':
        return (await replays.begin(key, begun, read))
          ? this.#work(request, begun)
          : { outcome: refuse('idempotency_key_in_use'), replayed: false };
    }
  }

  async #work({ key, work }: Request, begun: Replay): Promise<AnsweredOnce> {
    const { replays } = this.#ports;
    try {
      const outcome = await work();
      if (outcome.ok) await replays.finish(key, { ...begun, answer: outcome.value, answered: true });
      else await replays.forget(key);
      return { outcome, replayed: false };
    } catch (error) {
      await replays.forget(key);
      throw error;
    }
  }
}
