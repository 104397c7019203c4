import type { OwnLogger } from '../../runtimes/express/log.ts';
import type { StartOptions } from '../../runtimes/express/start.ts';
import { start } from '../../runtimes/express/start.ts';
import { FREE_PORTS } from '../support/free-ports.ts';
import { type Mount, type MountSettings, webhookVariables } from './mount.ts';

const UNREACHED = 1_000_000;

const ENVIRONMENT = {
  ...FREE_PORTS,
  LEGACY_PORT: '0',
  MAIL: 'outbox',
  SAMPLE_STORE: 'never',
  MAX_CONNECTIONS: String(UNREACHED),
  MAX_CONNECTIONS_PER_ADDRESS: String(UNREACHED),
};

const limits = ({
  perAccount = UNREACHED,
  perAgent = UNREACHED,
  perAddress = UNREACHED,
  filesPerAddress = UNREACHED,
  corsOrigins = [],
}: MountSettings): Record<string, string> => ({
  RATE_LIMIT_PER_MINUTE: String(perAccount),
  RATE_LIMIT_AGENT_PER_MINUTE: String(perAgent),
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(perAddress),
  RATE_LIMIT_FILES_PER_MINUTE: String(filesPerAddress),
  CORS_ORIGINS: corsOrigins.join(','),
});

/** Opens the whole server, as a team's program starts it, on the empty store in `env`. */
export const openStartMount = async (
  env: Readonly<Record<string, string>>,
  given: MountSettings = {},
  options: StartOptions = {},
): Promise<Mount> => {
  const [faults, lines, printed]: [unknown[], Record<string, unknown>[], string[]] = [[], [], []];
  const note = (line: object, message?: unknown): void => {
    if (message === 'request') lines.push({ ...line });
    if ('err' in line) faults.push(line.err);
  };
  const logger = { info: note, error: note, warn: () => {}, isLevelEnabled: () => true } as unknown as OwnLogger;
  const print = (text: string): void => void printed.push(text);
  const { urls, service, stop } = await start(
    { ...ENVIRONMENT, ...limits(given), ...webhookVariables(given), ...env },
    { ...options, logger, print },
  );
  const [licenseKey] = service.get('licenseSigner').publicJwks();
  const [, legacyUrl] = /Legacy host\s+(\S+)/.exec(printed.join('')) ?? [];
  if (!licenseKey || legacyUrl === undefined) throw new Error('The server has no license key or no legacy host.');
  return { urls, legacyUrl, service, licenseKey, faults, requestLines: () => lines, close: stop };
};
