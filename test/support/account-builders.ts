import { DEVICE_KEY_ABILITIES } from '../../domain/access/abilities.ts';
import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { anApiKey } from './builders.ts';

/** A buyer without a password. The address contains the id. */
export const anAccount = (overrides: Partial<Account> = {}): Account => ({
  id: 1,
  email: `buyer-${overrides.id ?? 1}@example.com`,
  name: 'Buyer',
  created_at: '2025-01-01T00:00:00.000Z',
  password_hash: null,
  ...overrides,
});

/** A live, unused key that account 1 got when it signed in on its laptop, for all of its products. */
export const aDeviceKey = (overrides: Partial<ApiKey> = {}): ApiKey =>
  anApiKey({
    kind: 'device',
    client: 'cli',
    device: { device_id: 'laptop', name: 'Laptop' },
    abilities: DEVICE_KEY_ABILITIES,
    ...overrides,
  });
