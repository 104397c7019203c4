import { randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { PolicyKeyRing } from '../../domain/policy/key-ring.ts';
import { readKeyRing, writeKeyRing } from '../../domain/policy/key-ring-text.ts';
import type { KeyRings, ReadKeyRing } from '../../ports/outbound/policy-keys.ts';
import { StoreUnavailable } from '../store/table.ts';

/** What a version is called before it is the one that counts. */
const DRAFT = 'KEY_RING_DRAFT';
const CURRENT = 'AWSCURRENT';

/**
 * The ring in one secret of AWS Secrets Manager. A change is written as a version of its own, and becomes the current
 * one only where that is still the one that was read, so that of operators who change it at once one does. The ring from
 * before keeps no label, and AWS removes such versions in its own time.
 */
export class KeyRingSecret implements Omit<KeyRings, 'keptFor'> {
  readonly #arn: string;
  readonly #client: SecretsManagerClient;

  constructor(arn: string, client = new SecretsManagerClient({})) {
    this.#arn = arn;
    this.#client = client;
  }

  async read(): Promise<ReadKeyRing> {
    const { SecretString = '', VersionId = null } = await this.#get();
    const ring = readKeyRing(SecretString);
    if (!ring) throw new Error(`The secret ${this.#arn} does not hold the keys of the client policy.`);
    return { ring, version: VersionId };
  }

  async save(ring: PolicyKeyRing, { version }: ReadKeyRing): Promise<boolean> {
    const written = await this.#write(ring, version);
    if (written === undefined) return false;
    // AWSPREVIOUS now names the ring from before; written once more, it names this one. Where somebody else has changed
    // the ring in between, he has moved the label on.
    await this.#write(ring, written);
    return true;
  }

  /** The version that was written; undefined where the current one is another than the one that was read. */
  async #write(ring: PolicyKeyRing, version: string | null): Promise<string | undefined> {
    const draft = randomUUID();
    await this.#client.send(
      new PutSecretValueCommand({
        SecretId: this.#arn,
        ClientRequestToken: draft,
        SecretString: writeKeyRing(ring),
        VersionStages: [DRAFT],
      }),
    );
    try {
      await this.#client.send(
        new UpdateSecretVersionStageCommand({
          SecretId: this.#arn,
          VersionStage: CURRENT,
          MoveToVersionId: draft,
          RemoveFromVersionId: version ?? undefined,
        }),
      );
      return draft;
    } catch (error) {
      if (!(error instanceof InvalidParameterException)) throw error;
      // An answer may have been lost on its way, and the call repeated.
      return (await this.#get()).VersionId === draft ? draft : undefined;
    }
  }

  async #get() {
    try {
      return await this.#client.send(new GetSecretValueCommand({ SecretId: this.#arn, VersionStage: CURRENT }));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new StoreUnavailable(`The secret ${this.#arn} can't be read: ${why}.`);
    }
  }
}
