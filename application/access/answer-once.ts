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
  /** Reads at once, and writes only after what it is given resolves. */
  readonly work: (claimed: Admission) => Promise<Outcome<unknown, string>>;
};

export type AnsweredOnce = {
  /** That of the work, `idempotency_key_reused` or `idempotency_key_in_use`. */
  readonly outcome: Outcome<unknown, string>;
  /** The answer is that of an earlier request. */
  readonly replayed: boolean;
};

type Claim = 'claimed' | AnsweredOnce;

/** Ends the work of a request that has been answered before, or may not be answered now. */
class NotClaimed extends Error {
  override name = 'NotClaimed';
}

const ignore = (): void => {};

/**
 * Does the work of a request once, however often it is sent under its key within a day, and answers each time as the
 * first time. A refusal or a fault leaves the key free, so that a request can be mended and sent again.
 */
export class AnswerOnce {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, fingerprint, admitted, work }: Request): Promise<AnsweredOnce> {
    const { replays, clock } = this.#ports;
    const begun: Replay = { fingerprint, begun_at: clock.now(), answer: null, answered: false };
    const claim = admitted.then(() => this.#claim(key, begun));
    const claimed = claim.then((result) => {
      if (result !== 'claimed') throw new NotClaimed();
    });
    claimed.catch(ignore);
    const working = work(claimed);
    working.catch(ignore);
    const result = await claim;
    if (result !== 'claimed') return result;
    const outcome = await working.catch(async (error: unknown) => {
      await replays.forget(key).catch(ignore);
      throw error;
    });
    // What was done is told even where that can't be kept: a fault would be sent again, and done again.
    if (outcome.ok) await replays.finish(key, { ...begun, answer: outcome.value, answered: true }).catch(ignore);
    else await replays.forget(key);
    return { outcome, replayed: false };
  }

  /** Most keys are new: taken at once, and only read where that fails. */
  async #claim(key: ReplayKey, begun: Replay): Promise<Claim> {
    const { replays } = this.#ports;
    if (await replays.begin(key, begun, { version: null })) return 'claimed';
    const read = await replays.read(key);
    switch (judgeReplay(read.replay, begun.fingerprint, begun.begun_at)) {
      case 'answered':
        return { outcome: ok(read.replay?.answer), replayed: true };
      case 'reused':
        return { outcome: refuse('idempotency_key_reused'), replayed: false };
      case 'in_use':
        return { outcome: refuse('idempotency_key_in_use'), replayed: false };
      case 'begin':
        return (await replays.begin(key, begun, read))
          ? 'claimed'
          : { outcome: refuse('idempotency_key_in_use'), replayed: false };
    }
  }
}
