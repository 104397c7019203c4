import { AnswerOnce } from '../../application/access/answer-once.ts';
import { Authenticate } from '../../application/access/authenticate.ts';
import { CreateApiKey } from '../../application/access/create-api-key.ts';
import { LimitRate } from '../../application/access/limit-rate.ts';
import { ListApiKeys } from '../../application/access/list-api-keys.ts';
import { ReadAccess } from '../../application/access/read-access.ts';
import { RecordKeyUse } from '../../application/access/record-key-use.ts';
import { RevokeApiKey } from '../../application/access/revoke-api-key.ts';
import { areaModule, type Overrides } from './binder.ts';

export const access = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('authenticate', Authenticate, ({ apiKeys, keySecrets, clock }) => ({ apiKeys, keySecrets, clock }))
      .part('answerOnce', AnswerOnce, ({ replays, clock }) => ({ replays, clock }))
      .part('limitRate', LimitRate, ({ rateLimits, clock, settings }) => ({ rateLimits, clock, settings }))
      .part('recordKeyUse', RecordKeyUse, ({ apiKeys, clock }) => ({ apiKeys, clock }))
      .part('readAccess', ReadAccess, ({ licenses, clock }) => ({ licenses, clock }))
      .part('createApiKey', CreateApiKey, (part) => ({
        accounts: part.accounts,
        apiKeys: part.apiKeys,
        catalogs: part.catalogs,
        keySecrets: part.keySecrets,
        ids: part.ids,
        clock: part.clock,
        pauses: part.pauses,
        revokeApiKey: part.revokeApiKey,
      }))
      .part('listApiKeys', ListApiKeys, ({ accounts, apiKeys }) => ({ accounts, apiKeys }))
      .part('revokeApiKey', RevokeApiKey, ({ apiKeys, clock, pauses }) => ({ apiKeys, clock, pauses })),
  );
