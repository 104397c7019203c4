import { jsonLine } from './json-lines.ts';
import { probing } from './probe-run.ts';

const { STAGE = 'dev', PROBE_API_URL, PROBE_OTHER_URLS = '', PROBE_PRODUCT, PROBE_KEY_SECRET_ARN: arn } = process.env;
if (!PROBE_API_URL) throw new Error('PROBE_API_URL must be set to the address of the API host.');

const readKey = async (secret: string): Promise<string> => {
  const { readSecret } = await import('../../adapters/secrets/secrets-manager.ts');
  return readSecret(secret);
};

/** Checks the service from outside. A schedule calls it every minute; infra/constructs/probe.ts sets its variables. */
export const handler = probing(
  {
    stage: STAGE,
    apiUrl: PROBE_API_URL,
    otherUrls: PROBE_OTHER_URLS.split(' ').filter((url) => url !== ''),
    license: arn && PROBE_PRODUCT ? { product: Number(PROBE_PRODUCT), readKey: () => readKey(arn) } : undefined,
  },
  (level, fields) => jsonLine(level, fields, 'probe'),
);
