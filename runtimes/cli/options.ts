import { byHost, type Host } from '../../ports/inbound/hosts.ts';
import type { Config } from '../configuration/config.ts';
import type { OwnEngines } from '../engines/kinds.ts';

/** The parts that a program passes to the command line that it runs. */
export type CliOptions = {
  /**
   * Engines in addition to those of this package, under the names that STORE, OBJECTS and the places of `migrate` use.
   */
  readonly engines?: OwnEngines;
  /**
   * True if the server has its own `upstreamProvider`, which no variable names: `doctor` then accepts
   * PASSWORD_SIGN_IN=off.
   */
  readonly ownSignIn?: boolean;
};

/* A process has one environment and one command line, so these options, like the environment, apply to all of it. */
let chosen: CliOptions = {};

/** Sets the options of the command line in this process. */
export const setOptions = (options: CliOptions): void => {
  chosen = options;
};

/** The options of the command line in this process. */
export const options = (): CliOptions => chosen;

let running: { readonly command: string; readonly server?: string | undefined } = { command: '' };

/** Records the command that this process runs, and the remote server on which it runs; undefined for none. */
export const setRunning = (command: string, server: string | undefined): void => {
  running = { command, server: server?.replace(/\/$/, '') };
};

/** The command of this process, as the audit log names it. */
export const runningCommand = (): string => running.command;

/** The command's first word, which names its group. */
export const runningGroup = (): string => running.command.split(' ', 1)[0] ?? '';

/** The remote server of this process; undefined if commands run on the store that the environment names. */
export const remoteServer = (): string | undefined => running.server;

/** The message for a command that a remote server can't run. */
export const NO_ENDPOINT = 'This command has no endpoint on a server; run it on the store’s machine.';

/** The configuration in the environment of this process. Throws ConfigError. */
export const configuration = async (): Promise<Config> =>
  (await import('../configuration/config.ts')).readConfig(process.env, chosen.engines);

/** The public addresses of the hosts; a host without one has its port on this machine. */
export const configuredUrls = ({ urls, ports }: Config): Readonly<Record<Host, string>> =>
  byHost((host) => urls[host] ?? `http://127.0.0.1:${ports[host]}`);
