import Bowser from 'bowser';
import type { Platform } from '../../../domain/catalog/platform.ts';

/** The maximum length of a User-Agent header to read. */
const LONGEST = 512;

/** A short name of the browser, such as `Firefox on macOS`; empty if the header contains none. */
export const browserName = (userAgent: string | undefined): string => {
  if (userAgent === undefined || userAgent === '') return '';
  const parser = Bowser.getParser(userAgent.slice(0, LONGEST));
  const [browser, system] = [parser.getBrowserName(), parser.getOSName()];
  return [browser, system].filter((name) => name).join(' on ');
};

export const isMobile = (userAgent = ''): boolean =>
  /\b(Mobile|Android|iPad|iPhone)\b/.test(userAgent.slice(0, LONGEST));

const SYSTEMS: Readonly<Record<string, string>> = { macOS: 'darwin-', Linux: 'linux-', Windows: 'windows-' };
const systemName = (agent: string): string => (agent === '' ? '' : Bowser.getParser(agent).getOSName());

/**
 * The operating system of the browser's computer, such as `Windows`; undefined on any other device, or if the header
 * contains none.
 */
export const computerSystem = (userAgent = ''): string | undefined => {
  const name = systemName(userAgent.slice(0, LONGEST));
  return Object.hasOwn(SYSTEMS, name) ? name : undefined;
};

/** True if a file is for every platform, or for one of the system. */
export const isForSystem = ({ platform }: OfPlatform, system: string): boolean =>
  platform === null || platform.startsWith(SYSTEMS[system] ?? '?');

const PROCESSORS: Readonly<Record<string, RegExp>> = { arm64: /aarch64|arm64/i, amd64: /x86_64|x64|wow64/i };

/**
 * Rates how well a file suits the visitor's computer: 2 for its system and processor, 1 for its system, otherwise 0. A
 * browser on a Mac does not reveal the processor.
 */
export const platformRank = (userAgent = ''): ((file: OfPlatform) => number) => {
  const agent = userAgent.slice(0, LONGEST);
  const system = SYSTEMS[systemName(agent)];
  return ({ platform }) => {
    if (platform === null || system === undefined || !platform.startsWith(system)) return 0;
    return PROCESSORS[platform.slice(system.length)]?.test(agent) ? 2 : 1;
  };
};

/** Orders files so that the best ones for the visitor's computer come first. */
export const ownPlatformsFirst = (userAgent?: string): ((a: OfPlatform, b: OfPlatform) => number) => {
  const rank = platformRank(userAgent);
  return (a, b) => rank(b) - rank(a);
};

type OfPlatform = { readonly platform: Platform | null };
