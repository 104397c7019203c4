import { type Asset, styleSheet } from '../../shared/assets.ts';
import { CONSOLE_STYLE } from './style.ts';

const style = styleSheet('console', CONSOLE_STYLE);

export const CONSOLE_STYLE_PATH = style.path;

/** The files of the console, in addition to those of the account pages. */
export const CONSOLE_ASSETS: readonly Asset[] = [style];
