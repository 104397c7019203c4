import type { Permit } from '../../domain/access/permit.ts';
import { forgottenAt, type Replay } from '../../domain/access/replay.ts';
import type { ReadReplay, ReplayKey, Replays } from '../../ports/outbound/requests.ts';
import { expiryAt } from './expiry.ts';
import { accessKeys } from './keys/access.ts';
import { ifUnchanged, itemOf } from './records.ts';
import { OnTable } from './repository.ts';
import type { TypedItem } from './typed-table.ts';

const keyOf = ({ owner, endpoint, key }: ReplayKey) => accessKeys.replay(owner, endpoint, key);

const itemOfReplay = (key: ReplayKey, replay: Replay): TypedItem =>
  itemOf(keyOf(key), replay, expiryAt(forgottenAt(replay.begun_at)));

/** Stores each replay until a day after its request began. */
export class StoredReplays extends OnTable implements Replays {
  async read(key: ReplayKey): Promise<ReadReplay> {
    const item = await this.table.get(keyOf(key));
    return { replay: item?.data, version: item?.version ?? null };
  }

  begin(_permit: Permit, key: ReplayKey, replay: Replay, { version }: Pick<ReadReplay, 'version'>): Promise<boolean> {
    return this.table.put(itemOfReplay(key, replay), ifUnchanged(version));
  }

  async finish(_permit: Permit, key: ReplayKey, replay: Replay): Promise<void> {
    await this.table.put(itemOfReplay(key, replay));
  }

  async forget(_permit: Permit, key: ReplayKey): Promise<void> {
    await this.table.remove(keyOf(key));
  }
}
