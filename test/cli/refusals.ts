/** A call that the test's shop refuses, with the code of the refusal. `%` is its folder. */
export type Refusal = {
  readonly words: string;
  readonly error: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** A folder without a store, like a mistyped DATA_DIR. */
const NOWHERE = { DATA_DIR: '%/nowhere' };

/** Variables of a configuration that no command can use. */
const IN_MEMORY = { STORE: 'memory', OBJECTS: 'memory' };

const ASKS = 'confirmation_required';

/**
 * Refusals of each kind that a command's own code or a use case makes, and of each command that asks without an answer.
 * The shop has account 1, which owns product 1 (`memo`) by order O-5, with its laptop in use; version 1.0.0 is published.
 */
export const REFUSALS: readonly Refusal[] = [
  { words: 'import %/none.json', error: 'unreadable_document' },
  { words: 'export %/full', error: 'failed' },
  { words: 'publish none %/tool.zip --version 1.0.0', error: 'product_not_found' },
  { words: 'release withdraw memo 1.0.0 --reason Broken', error: ASKS },
  { words: 'release restore memo 9.9.9', error: 'release_not_found' },
  { words: 'release schedule memo 9.9.9 --released-at 2199-01-01T00:00:00Z', error: 'release_not_found' },
  { words: 'publish memo %/full --version 2.0.0', error: 'file_not_found' },
  { words: 'signing-key create --from %/full', error: 'failed' },
  { words: 'key revoke-batch 1', error: ASKS },
  { words: 'key revoke-batch 99 --yes', error: 'key_batch_not_found' },
  { words: 'account add --email buyer-1@example.com', error: 'email_taken' },
  { words: 'account show 99', error: 'account_not_found' },
  { words: 'account erase 1', error: ASKS },
  { words: 'account merge 1 2', error: ASKS },
  { words: 'account lock-out 1', error: ASKS },
  { words: 'account password --account 99 --password-stdin', error: 'account_not_found' },
  { words: 'key create --license --account 1 --product memo', error: 'license_key_not_found' },
  { words: 'key import keys.csv --product none', error: 'product_not_found' },
  { words: 'key import none.csv --product memo', error: 'unreadable_rows' },
  { words: 'agent-token create --role collect --name shots', error: 'failed', env: IN_MEMORY },
  { words: 'device release laptop --account 1 --product memo', error: ASKS },
  { words: 'device withdraw laptop --account 1 --product memo', error: ASKS },
  { words: 'device restore laptop --product memo', error: 'device_not_withdrawn' },
  { words: 'team invite 1 bo@example.com --product memo', error: 'not_found' },
  { words: 'team remove 1 5 --product memo', error: ASKS },
  { words: 'trial change laptop --product memo --days 0', error: ASKS },
  { words: 'trial change laptop --product memo --days 9', error: 'trial_not_found' },
  { words: 'grant --account 1 --product none', error: 'product_not_found' },
  { words: 'grant revoke 8 --account 1', error: ASKS },
  { words: 'grant transfer 8 --account 1 --to a@example.com', error: ASKS },
  { words: 'license export-offline --out %/licenses', error: 'no_store', env: NOWHERE },
  { words: 'order show O-99', error: 'order_not_found' },
  { words: 'order settle O-5', error: 'order_not_pending' },
  { words: 'order refund O-5', error: ASKS },
  { words: 'event replay evt_none', error: 'event_not_found' },
  { words: 'sync stripe', error: 'provider_not_configured' },
  { words: 'subscription show 99 --account 1', error: 'subscription_not_found' },
  { words: 'sums show --from 2020-01-01 --to 2026-01-01', error: 'stretch_invalid' },
  { words: 'policy set %/policy.json', error: 'invalid_policy' },
  { words: 'policy set %/lifts.json', error: ASKS },
  { words: 'signing-key create --from %/none.pem', error: 'no_key' },
  { words: 'signing-key activate --use artifact', error: ASKS },
  { words: 'signing-key revoke --use license KID', error: ASKS },
  { words: 'artifact-key', error: 'failed', env: IN_MEMORY },
  { words: 'reports bundle 99 --out %/bundle.zip', error: 'not_found' },
  { words: 'reports answer 99 --file %/nowhere', error: 'file_not_readable' },
  { words: 'look set nothing=1', error: 'field_unknown' },
  { words: 'look set logo_url=%/policy.json', error: 'logo_unfit' },
  { words: 'collect show 99', error: 'not_found' },
  { words: 'owner add owner', error: 'validation_failed' },
  { words: 'owner remove 1', error: ASKS },
  { words: 'webhook create --url https://example.com/hook', error: 'no_store', env: NOWHERE },
  { words: 'webhook delete 99', error: ASKS },
  { words: 'openapi', error: 'failed', env: { API_PORT: 'wrong' } },
  { words: 'backup %/data/backups', error: 'folder_in_data_dir' },
  { words: 'restore %/full --to %/restored', error: 'no_backup' },
  { words: 'migrate --from %/data --to %/data', error: 'same_place' },
];
