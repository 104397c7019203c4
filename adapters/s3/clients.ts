import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

const CONNECT_MS = 1000;
/**
 * The time until the response headers, in milliseconds. Three attempts and the pauses between them take at most four
 * seconds.
 */
const ANSWER_MS = 1000;
const READ_ATTEMPTS = 3;
/**
 * The time without a byte transferred, in milliseconds. It is long for reads, because the reader may be a slow client
 * that pauses.
 */
const IDLE_READ_MS = 120_000;
const IDLE_WRITE_MS = 5000;
const WRITE_ATTEMPTS = 2;

/**
 * The client for HEAD, GET and signed URLs. If `config` has no region, credentials or endpoint, the SDK takes them from
 * its own environment variables, such as AWS_ENDPOINT_URL_S3. The checksum mode is off, because it would appear in
 * every signed URL.
 */
export const readingClient = (config: S3ClientConfig): S3Client =>
  new S3Client({
    maxAttempts: READ_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_READ_MS,
    },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...config,
  });

/** The client for uploads. An upload may take any time as long as bytes are transferred. */
export const writingClient = (config: S3ClientConfig): S3Client =>
  new S3Client({
    maxAttempts: WRITE_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_WRITE_MS },
    ...config,
  });
