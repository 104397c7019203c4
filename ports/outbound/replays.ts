import type { Permit } from '../../domain/access/permit.ts';
import type { Owner } from '../../domain/access/principal.ts';
import type { Replay } from '../../domain/access/replay.ts';

/** The name of a request that may be repeated: its owner, its endpoint, and its Idempotency-Key. */
export type ReplayKey = { readonly owner: Owner; readonly endpoint: string; readonly key: string };

export type ReadReplay = {
  readonly replay: Replay | undefined;
  /** Null where there is none. */
  readonly version: string | null;
};

/** Requests with an Idempotency-Key, each kept for a day (`REPLAY_HOURS`). */
export interface Replays {
  read(key: ReplayKey): Promise<ReadReplay>;
  /** Keeps a request that begins; false, with nothing written, where its key was written since it was read. */
  begin(permit: Permit, key: ReplayKey, replay: Replay, read: Pick<ReadReplay, 'version'>): Promise<boolean>;
  /** Keeps the answer of a begun request. */
  finish(permit: Permit, key: ReplayKey, replay: Replay): Promise<void>;
  forget(permit: Permit, key: ReplayKey): Promise<void>;
}
