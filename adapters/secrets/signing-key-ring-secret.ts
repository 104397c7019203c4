import { randomUUID } from 'node:crypto';
import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { type KeyUse, SIGNED } from '../../domain/signing/key-use.ts';
import { readSigningKeyRing, type SigningKeyRing, writeSigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import type { ReadSigningKeyRing, SigningKeyRings } from '../../ports/outbound/signing.ts';
import { StoreUnavailable } from '../store/table.ts';

/** The label of a version that is not current yet. */
const DRAFT = 'KEY_RING_DRAFT';
const CURRENT = 'AWSCURRENT';

/** The random text of a new, unchanged secret from CloudFormation: 32 characters by default. */
const UNUSED = /^\S{32}$/;

/**
 * Stores the key ring of a use in one secret of AWS Secrets Manager. The random text of a new secret counts as an empty
 * ring. A change is written as a new version, which becomes the current one only if the version that was read still is.
 * So one of several concurrent changes succeeds. The previous ring keeps no label, and AWS eventually removes
 * unlabelled versions.
 */
export class SigningKeyRingSecret implements Omit<SigningKeyRings, 'keptFor'> {
  readonly #arn: string;
  readonly #use: KeyUse;
  readonly #client: SecretsManagerClient;

  constructor(arn: string, use: KeyUse, client = new SecretsManagerClient({})) {
    this.#arn = arn;
    this.#use = use;
    this.#client = client;
  }

  async read(): Promise<ReadSigningKeyRing> {
    const { SecretString = '', VersionId = null } = await this.#get();
    const ring = readSigningKeyRing(SecretString) ?? (UNUSED.test(SecretString) ? [] : undefined);
    if (!ring) {
      throw new Error(
        `The secret ${this.#arn} does not hold the keys that sign ${SIGNED[this.#use]}; put their text back (docs/backup.md).`,
      );
    }
    return { ring, version: VersionId };
  }

  async save(ring: SigningKeyRing, { version }: ReadSigningKeyRing): Promise<boolean> {
    const written = await this.#write(ring, version);
    if (written === undefined) return false;
    // AWSPREVIOUS now labels the previous ring; writing again moves the label to this one. If another operator has
    // changed the ring in between, that change has already moved the label.
    await this.#write(ring, written);
    return true;
  }

  /** The version written; undefined if `version` is no longer the current one. */
  async #write(ring: SigningKeyRing, version: string | null): Promise<string | undefined> {
    const draft = randomUUID();
    await this.#client.send(
      new PutSecretValueCommand({
        SecretId: this.#arn,
        ClientRequestToken: draft,
        SecretString: writeSigningKeyRing(ring),
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
      // The SDK repeats a call without a response, so the first attempt may have succeeded.
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
