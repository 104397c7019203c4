import type { Replay } from '../../domain/access/replay.ts';

/** What names a request that may be sent again: whose it is, what it calls, and the key that the client chose. */
export type ReplayKey = { readonly account: number; readonly endpoint: string; readonly key: string };

export type ReadReplay = {
  readonly replay: Replay | undefined;
  /** Null where there is none. */
  readonly version: string | null;
};

/** Requests that came with an Idempotency-Key, each for a day. */
export interface Replays {
  read(key: ReplayKey): Promise<ReadReplay>;
  /** Keeps a request that begins; false, with nothing kept, where somebody came in since it was read. */
  begin(key: ReplayKey, replay: Replay, read: Pick<ReadReplay, 'version'>): Promise<boolean>;
  /** Keeps the answer of a request that was begun. */
  finish(key: ReplayKey, replay: Replay): Promise<void>;
  forget(key: ReplayKey): Promise<void>;
}
