import { beforeAll } from 'vitest';
import { installGo, LANGUAGES_TIMEOUT } from '../../../clients/harness.ts';
import { runEach } from '../every-document.ts';
import { needsPrograms } from '../run.ts';

beforeAll(installGo, LANGUAGES_TIMEOUT);
runEach(needsPrograms);
