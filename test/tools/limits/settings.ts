import { readConfig } from '../../../runtimes/composition/config.ts';
import type { Constant } from './constant.ts';

/** The settings of a server whose environment has none. */
export const DEFAULTS = readConfig({});

/** The default of a setting. */
export const setting = (value: number): Constant => ({ value, file: 'runtimes/composition/config.ts' });
