import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';

const CONNECT_MS = 1000;
/** Until the head of an answer; three attempts and the pauses between them take no more than four seconds. */
const ANSWER_MS = 1000;
const READ_ATTEMPTS = 3;
/** With no byte moving. Long for what is read, since its reader may be a slow client that takes a pause. */
const IDLE_READ_MS = 120_000;
const IDLE_WRITE_MS = 5000;
const WRITE_ATTEMPTS = 2;

/**
 * For heads, reads and signed URLs. What `config` leaves out (region, credentials, endpoint) the SDK takes from its own
 * variables, AWS_ENDPOINT_URL_S3 among them. Without a checksum mode, which would stand in every signed URL.
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

/** For uploads, which may take long as long as they move. */
export const writingClient = (config: S3ClientConfig): S3Client =>
  new S3Client({
    maxAttempts: WRITE_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_WRITE_MS },
    ...config,
  });
