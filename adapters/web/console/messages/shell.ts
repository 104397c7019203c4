import { inBoth } from '../page.ts';
import { shell as en } from './en/shell.ts';
import { shell as ko } from './ko/shell.ts';

/** The words of the frame, the lists and the forms of the console. */
export const shellWords = inBoth({ en, ko });
