import { type Asset, script, styleSheet } from '../../shared/assets.ts';
import { CONSOLE_STYLE } from './style.ts';
import { UPLOAD_SCRIPT } from './upload-script.ts';

const style = styleSheet('console', CONSOLE_STYLE);
const upload = script('upload', UPLOAD_SCRIPT);

export const CONSOLE_STYLE_PATH = style.path;
export const UPLOAD_SCRIPT_PATH = upload.path;

/** The files of the console, in addition to those of the account pages. */
export const CONSOLE_ASSETS: readonly Asset[] = [style, upload];
