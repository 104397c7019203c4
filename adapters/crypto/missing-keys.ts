import { type KeyUse, SIGNED } from '../../domain/signing/key-use.ts';

/** The variables that name the secrets of AWS Secrets Manager with the keys. */
const SECRET_VARIABLES: Readonly<Record<KeyUse, string>> = {
  policy: 'POLICY_KEYS_SECRET_ARN',
  license: 'LICENSE_KEY_SECRET_ARN',
  artifact: 'ARTIFACT_KEY_SECRET_ARN',
};

/** The sentence about a use that never had a key, where none is made by the way. */
export const noKey = (use: KeyUse): string =>
  `No key signs ${SIGNED[use]}; set ${SECRET_VARIABLES[use]} to the secret that has one, or make the first: signing-key create --use ${use}`;

/** The sentence about keys that were there and whose files are gone. */
export const lostKeys = (folder: string, use: KeyUse): string =>
  `The keys that sign ${SIGNED[use]} are lost: ${folder} has no ${use}-signing file any more; copy these files from a backup: restore BACKUP --files (docs/backup.md).`;

/** The sentence about keys that were made for a store whose table is in no folder, and are not in this one. */
export const keysElsewhere = (folder: string, use: KeyUse): string =>
  `The keys that sign ${SIGNED[use]} are not in ${folder}; set ${SECRET_VARIABLES[use]} to the secret that has them, or copy the files ${use}-signing.* there from where they are.`;
