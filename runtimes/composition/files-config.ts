/** CloudFront in front of the bucket: its address, and the key that signs its URLs. */
export type FilesConfig = {
  /** The public address of the distribution, without a slash at the end. */
  readonly url: string;
  /** The id that CloudFront gave the public key. */
  readonly keyId: string;
  /** The secret that holds the private key. */
  readonly keySecretArn: string;
};

const FILES = ['FILES_URL', 'CLOUDFRONT_KEY_ID', 'CLOUDFRONT_KEY_SECRET_ARN'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** One line for each variable that the others require. */
export const filesFaults = (set: Variables): string[] => {
  const [given] = FILES.filter((name) => set[name] !== undefined);
  if (given === undefined) return [];
  const left = FILES.filter((name) => set[name] === undefined);
  const missing = left.map((name) => `${name} takes a value where ${given} has one; it is "".`);
  return set['OBJECTS'] === 's3' ? missing : [`${given} takes a value only where OBJECTS is s3.`];
};

/** CloudFront in checked variables; undefined where they name none. */
export const filesIn = (read: {
  readonly FILES_URL?: string | undefined;
  readonly CLOUDFRONT_KEY_ID?: string | undefined;
  readonly CLOUDFRONT_KEY_SECRET_ARN: string;
}): FilesConfig | undefined => {
  const { FILES_URL: url, CLOUDFRONT_KEY_ID: keyId, CLOUDFRONT_KEY_SECRET_ARN: keySecretArn } = read;
  return url !== undefined && keyId !== undefined ? { url, keyId, keySecretArn } : undefined;
};
