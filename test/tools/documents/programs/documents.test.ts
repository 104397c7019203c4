import { runEach } from '../every-document.ts';
import { needsPrograms } from '../run.ts';

runEach(needsPrograms);
