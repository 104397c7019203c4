import { forgottenAt, type Replay } from '../../domain/access/replay.ts';
import { millis } from '../../domain/shared/instant.ts';
import type { ReadReplay, ReplayKey, Replays } from '../../ports/outbound/replays.ts';
import { keys } from './keys.ts';
import type { NewItem, Table } from './table.ts';

const keyOf = ({ account, endpoint, key }: ReplayKey) => keys.replay(account, endpoint, key);

const itemOf = (key: ReplayKey, replay: Replay): NewItem => ({
  ...keyOf(key),
  data: replay,
  expires_at: Math.ceil(millis(forgottenAt(replay.begun_at)) / 1000),
});

/** Each in a partition of its own, for they have nothing to be read with. */
export class StoredReplays implements Replays {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async read(key: ReplayKey): Promise<ReadReplay> {
    const item = await this.#table.get(keyOf(key));
    return { replay: item?.data, version: item?.version ?? null };
  }

  begin(key: ReplayKey, replay: Replay, { version }: Pick<ReadReplay, 'version'>): Promise<boolean> {
    return this.#table.put(itemOf(key, replay), version === null ? { absent: true } : { version });
  }

  async finish(key: ReplayKey, replay: Replay): Promise<void> {
    await this.#table.put(itemOf(key, replay));
  }

  async forget(key: ReplayKey): Promise<void> {
    await this.#table.remove(keyOf(key));
  }
}
