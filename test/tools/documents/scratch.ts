import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CARGO } from '../../support/cargo.ts';
import { freePort } from '../../support/free-port.ts';
import { projectFiles } from '../../support/project-files.ts';
import type { Plan } from './plan.ts';
import { PROJECT } from './read.ts';
import { openSession, type Programs, type Session } from './session.ts';

const PORTS = { API_PORT: '8787', DESIGN_PORT: '8788', APP_PORT: '8789', ACCOUNT_PORT: '8790', SHOP_PORT: '8791' };
const METRICS_PORT = '9464';

/** Lets Cargo and Go find their compilers without the home directory, and reuse what the client tests have compiled. */
const { GOCACHE = join(homedir(), '.cache', 'go-build') } = process.env;
const { CARGO_HOME = join(homedir(), '.cargo'), RUSTUP_HOME = join(homedir(), '.rustup') } = process.env;
const CARGO_TARGET_DIR = join(PROJECT, 'clients', 'target');
const COMPILERS = { GOCACHE, CARGO_HOME, RUSTUP_HOME, CARGO_TARGET_DIR, ...CARGO };

/** The programs of the machine's bundle, which take half the time of the sources to start. */
const BUNDLED: Programs = {
  'npm run -s cli -- ': 'node machine.out/cli.mjs ',
  'npm start': 'node --max-semi-space-size=16 machine.out/server.mjs',
};

let bundle: string | undefined;

/** The folder of the bundle of these sources, which this process builds once and removes. */
const bundled = (): string => {
  if (bundle !== undefined) return bundle;
  const folder = mkdtempSync(join(PROJECT, 'node_modules', '.cache', 'account-service-documents-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, ['infra/machine/bundle.mjs', folder], { cwd: PROJECT });
  bundle = folder;
  return folder;
};

/** Copies the sources for one document. Only the examples are writable copies; the rest is linked. */
const copySources = async (folder: string): Promise<void> => {
  await mkdir(folder);
  for (const name of new Set(['node_modules', ...projectFiles().map((file) => file.split('/')[0] ?? '')])) {
    if (name === 'examples') await cp(join(PROJECT, name), join(folder, name), { recursive: true });
    else await symlink(join(PROJECT, name), join(folder, name));
  }
  await symlink(bundled(), join(folder, 'machine.out'));
};

export type Scratch = {
  /** Contains the sources, and the commands with their output. */
  readonly folder: string;
  /** The copy of the sources, the shell's working directory. */
  readonly sources: string;
  readonly session: Session;
  /** Replaces the ports in the documents by those of this run. */
  readonly atPorts: (text: string) => string;
};

export type ScratchOptions = {
  /** Copies other sources, from which the programs then run. */
  readonly copy?: (folder: string) => Promise<void>;
  /** Additional ports, by the variables that set them. */
  readonly ports?: Readonly<Record<string, string>>;
  readonly commandMs?: number;
};

/**
 * Opens a shell in a copy of the sources, with free ports, the files of the plan, and a copy of the store in `data`.
 */
export const openScratch = async (
  plan: Plan,
  data?: string,
  { copy, ports: further = {}, commandMs }: ScratchOptions = {},
): Promise<Scratch> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-service-document-'));
  const sources = join(folder, 'sources');
  await (copy ?? copySources)(sources);
  if (data !== undefined) await cp(data, join(sources, '.data'), { recursive: true });
  const named = { ...PORTS, ...further };
  const free = new Map<string, string>();
  for (const port of [...Object.values(named), METRICS_PORT]) free.set(port, String(await freePort()));
  const atPorts = (text: string): string =>
    [...free].reduce(
      (changed, [port, other]) =>
        changed.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${other}`).replaceAll(`_PORT=${port}`, `_PORT=${other}`),
      text,
    );
  for (const [path, text] of Object.entries(plan.files ?? {})) {
    await mkdir(dirname(join(sources, path)), { recursive: true });
    await writeFile(join(sources, path), atPorts(text), { mode: 0o600 });
  }
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const programs = copy ? undefined : BUNDLED;
  const compiled = copy ? NODE_COMPILE_CACHE : join(bundled(), 'compiled');
  const ports = Object.fromEntries(Object.entries(named).map(([name, port]) => [name, free.get(port) ?? '']));
  const quiet = { LOG_LEVEL: 'error', npm_config_update_notifier: 'false' };
  const env = { ...COMPILERS, PATH, NODE_COMPILE_CACHE: compiled, HOME: folder, ...quiet, ...ports };
  return { folder, sources, session: openSession(folder, sources, env, commandMs, programs), atPorts };
};
