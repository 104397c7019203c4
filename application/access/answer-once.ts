import type { Permit } from '../../domain/access/permit.ts';
import { judgeReplay, type Replay } from '../../domain/access/replay.ts';
import { type Ok, type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReplayKey } from '../../ports/outbound/requests.ts';

export type Request = {
  readonly key: ReplayKey;
  /** Hash of everything that the request asks for. */
  readonly fingerprint: string;
  readonly permit: Permit;
  /** The work, which may use data loaded before the request claimed the key. */
  readonly work: () => Promise<Outcome<unknown, string>>;
};

export type AnsweredOnce = {
  /** The outcome of the work, or the refusal `idempotency_key_reused` or `idempotency_key_in_use`. */
  readonly outcome: Outcome<unknown, string>;
  /** True if the outcome is that of an earlier request. */
  readonly replayed: boolean;
};

/** The request has claimed the key, or is answered without doing any work. */
type Claim = Ok<null> | { readonly ok: false; readonly answered: AnsweredOnce };

const IN_USE: Claim = { ok: false, answered: { outcome: refuse('idempotency_key_in_use'), replayed: false } };
const REUSED: Claim = { ok: false, answered: { outcome: refuse('idempotency_key_reused'), replayed: false } };

/**
 * Does the work of a request once, however often the request is sent with its key within a day (`REPLAY_HOURS`). Each
 * repetition gets the first answer. A refusal or a fault frees the key, so that the client can correct the request and
 * send it again.
 */
export const answerOnce = ({ replays, clock }: Needs<'clock' | 'replays'>) => {
  /** Claims the key before reading it, because most keys are new. */
  const takeKey = async (permit: Permit, key: ReplayKey, begun: Replay): Promise<Claim> => {
    if (await replays.begin(permit, key, begun, { version: null })) return ok(null);
    const read = await replays.read(key);
    switch (judgeReplay(read.replay, begun.fingerprint, begun.begun_at)) {
      case 'answered':
        return { ok: false, answered: { outcome: ok(read.replay?.answer), replayed: true } };
      case 'reused':
        return REUSED;
      case 'in_use':
        return IN_USE;
      case 'begin':
        return (await replays.begin(permit, key, begun, read)) ? ok(null) : IN_USE;
    }
  };

  return async function answerOnce(request: Request): Promise<AnsweredOnce> {
    const { key, fingerprint, permit, work } = request;
    const begun: Replay = { fingerprint, begun_at: clock.now(), answer: null, answered: false };
    const claim = await takeKey(permit, key, begun);
    if (!claim.ok) return claim.answered;
    const outcome = await work().catch(async (fault: unknown) => {
      await replays.forget(permit, key).catch(() => {});
      throw fault;
    });
    if (outcome.ok) {
      const storing = replays.finish(permit, key, { ...begun, answer: outcome.value, answered: true });
      // The answer is sent even if it can't be stored: after a fault, the client would repeat the request and its work.
      await storing.catch(() => {});
    } else {
      await replays.forget(permit, key);
    }
    return { outcome, replayed: false };
  };
};

export type AnswerOnce = ReturnType<typeof answerOnce>;
