import type { Asked } from '../../../infra/test/iam/evaluate.ts';
import type { Places } from '../../../infra/test/iam/policies.ts';

export type S3Call = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, unknown>>;
};

const objectAction = ({ method, url }: S3Call): string => {
  if (method === 'GET' || method === 'HEAD') return 's3:GetObject';
  if (method === 'DELETE') return url.searchParams.has('uploadId') ? 's3:AbortMultipartUpload' : 's3:DeleteObject';
  return 's3:PutObject';
};

/** An S3 call, whose path begins with the bucket, as IAM evaluates it. */
export const s3Asked = (call: S3Call, { bucket, files }: Places): Asked[] => {
  const { method, url, headers } = call;
  const [, , ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  const prefix = url.searchParams.get('prefix');
  if (key === '') {
    const action = method === 'GET' || method === 'HEAD' ? 's3:ListBucket' : `s3:${method}Bucket`;
    return [{ action, resource: bucket, context: prefix === null ? {} : { 's3:prefix': [prefix] } }];
  }
  const from = headers['x-amz-copy-source'];
  const copied = typeof from === 'string' ? decodeURIComponent(from).split('/').slice(1).join('/') : undefined;
  return [
    { action: objectAction(call), resource: `${files}/${key}`, context: {} },
    ...(copied === undefined ? [] : [{ action: 's3:GetObject', resource: `${files}/${copied}`, context: {} }]),
  ];
};
