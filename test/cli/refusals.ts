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
 * A refusal of each command, and of each command that asks without an answer. The shop has account 1, which owns
 * product 1 (`memo`) by order O-5, with its laptop in use; version 1.0.0 is published, and one agent may collect.
 */
export const REFUSALS: readonly Refusal[] = [
  { words: 'import %/none.json', error: 'unreadable_document' },
  { words: 'export %/full', error: 'failed' },
  { words: 'publish none %/tool.zip --version 1.0.0', error: 'product_not_found' },
  { words: 'release list none', error: 'product_not_found' },
  { words: 'release withdraw memo 1.0.0 --reason Broken', error: ASKS },
  { words: 'release restore memo 9.9.9', error: 'release_not_found' },
  { words: 'release move memo 9.9.9 --channel beta', error: 'release_not_found' },
  { words: 'release schedule memo 9.9.9 --released-at 2199-01-01T00:00:00Z', error: 'release_not_found' },
  { words: 'account add --email buyer-1@example.com', error: 'email_taken' },
  { words: 'account list', error: 'no_store', env: NOWHERE },
  { words: 'account show 99', error: 'account_not_found' },
  { words: 'account rename 99 --name Ann', error: 'account_not_found' },
  { words: 'account suspend 99', error: 'account_not_found' },
  { words: 'account reinstate 99', error: 'account_not_found' },
  { words: 'account limit 99 400', error: 'account_not_found' },
  { words: 'account erase 1', error: ASKS },
  { words: 'account merge 1 2', error: ASKS },
  { words: 'account merge 99 1 --yes', error: 'account_not_found' },
  { words: 'account erase 99 --yes', error: 'account_not_found' },
  { words: 'account ways-in 99', error: 'account_not_found' },
  { words: 'account lock-out 1', error: ASKS },
  { words: 'account lock-out 99 --yes', error: 'account_not_found' },
  { words: 'account link --account 99', error: 'account_not_found' },
  { words: 'account password --account 99 --password-stdin', error: 'account_not_found' },
  { words: 'key create --account 99 --name ci', error: 'account_not_found' },
  { words: 'key create --account 1 --name ci --product none', error: 'product_not_found' },
  { words: 'key create --license --account 1 --product memo', error: 'license_key_not_found' },
  { words: 'key list --account 99', error: 'account_not_found' },
  { words: 'key list --account nobody@example.com', error: 'account_not_found' },
  { words: 'key import keys.csv --product none', error: 'product_not_found' },
  { words: 'key import none.csv --product memo', error: 'unreadable_rows' },
  { words: 'key revoke 99', error: 'key_not_found' },
  { words: 'agent-token create --role collect --name shots', error: 'failed', env: IN_MEMORY },
  { words: 'agent-token list', error: 'no_store', env: NOWHERE },
  { words: 'agent-token revoke 99', error: 'agent_token_not_found' },
  { words: 'device list --account 99', error: 'account_not_found' },
  { words: 'device release laptop --account 1 --product memo', error: ASKS },
  { words: 'device withdraw laptop --account 1 --product memo', error: ASKS },
  { words: 'device restore laptop --product memo', error: 'device_not_withdrawn' },
  { words: 'grant --account 1 --product none', error: 'product_not_found' },
  { words: 'grant add --account 99 --product memo', error: 'account_not_found' },
  { words: 'grant list --account 99', error: 'account_not_found' },
  { words: 'grant revoke 8 --account 1', error: ASKS },
  { words: 'grant extend 99 --account 1 --device-limit 9', error: 'grant_not_found' },
  { words: 'product list', error: 'no_store', env: NOWHERE },
  { words: 'product show none', error: 'product_not_found' },
  { words: 'usage show --product none', error: 'product_not_found' },
  { words: 'usage show --account 99', error: 'account_not_found' },
  { words: 'order list --account 99', error: 'account_not_found' },
  { words: 'order show O-99', error: 'order_not_found' },
  { words: 'order refund O-5', error: ASKS },
  { words: 'order refund O-99 --yes', error: 'order_not_found' },
  { words: 'order mail O-99', error: 'order_not_found' },
  { words: 'search ada', error: 'no_store', env: NOWHERE },
  { words: 'event list', error: 'no_store', env: NOWHERE },
  { words: 'event show evt_none', error: 'event_not_found' },
  { words: 'event replay evt_none', error: 'event_not_found' },
  { words: 'sync stripe', error: 'provider_not_configured' },
  { words: 'subscription list --account 99', error: 'account_not_found' },
  { words: 'subscription show 99 --account 1', error: 'subscription_not_found' },
  { words: 'subscription show 9 --account 99', error: 'account_not_found' },
  { words: 'policy set %/policy.json', error: 'invalid_policy' },
  { words: 'policy set %/lifts.json', error: ASKS },
  { words: 'policy show', error: 'no_store', env: NOWHERE },
  { words: 'signing-key create --from %/none.pem', error: 'no_key' },
  { words: 'signing-key list', error: 'no_store', env: NOWHERE },
  { words: 'signing-key activate --use artifact', error: ASKS },
  { words: 'signing-key revoke --use license KID', error: ASKS },
  { words: 'artifact-key', error: 'failed', env: IN_MEMORY },
  { words: 'reports list', error: 'no_store', env: NOWHERE },
  { words: 'reports show 99', error: 'not_found' },
  { words: 'reports bundle 99 --out %/bundle.zip', error: 'not_found' },
  { words: 'reports answer 99', error: 'not_found' },
  { words: 'reports reopen 99', error: 'not_found' },
  { words: 'reports close 99', error: 'not_found' },
  { words: 'audit list --product none', error: 'product_not_found' },
  { words: 'collect list', error: 'no_store', env: NOWHERE },
  { words: 'collect show 99', error: 'not_found' },
  { words: 'collect replay 99', error: 'not_found' },
  { words: 'owner list', error: 'no_store', env: NOWHERE },
  { words: 'owner add owner', error: 'validation_failed' },
  { words: 'owner link 1', error: 'member_not_found' },
  { words: 'owner change 1 --name Ada', error: 'member_not_found' },
  { words: 'owner remove 1', error: ASKS },
  { words: 'owner remove 1 --yes', error: 'member_not_found' },
  { words: 'webhook list', error: 'no_store', env: NOWHERE },
  { words: 'webhook create --url https://example.com/hook', error: 'no_store', env: NOWHERE },
  { words: 'webhook change 99 --pause', error: 'webhook_not_found' },
  { words: 'webhook delete 99', error: ASKS },
  { words: 'webhook delete 99 --yes', error: 'webhook_not_found' },
  { words: 'webhook rotate 99', error: 'webhook_not_found' },
  { words: 'webhook ping 99', error: 'webhook_not_found' },
  { words: 'webhook deliveries 99', error: 'webhook_not_found' },
  { words: 'webhook resend 99 1', error: 'webhook_not_found' },
  { words: 'openapi', error: 'failed', env: { API_PORT: 'wrong' } },
  { words: 'backup %/data/backups', error: 'folder_in_data_dir' },
  { words: 'restore %/full --to %/restored', error: 'no_backup' },
  { words: 'migrate --from %/data --to %/data', error: 'same_place' },
];

/** Commands that report faults by their exit code, and never refuse. */
export const REPORTERS: readonly string[] = ['doctor'];
