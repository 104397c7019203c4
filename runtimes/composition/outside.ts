import { keySecrets } from '../../adapters/crypto/key-secrets.ts';
import { scryptPasswords } from '../../adapters/crypto/passwords.ts';
import { htmlSanitizer } from '../../adapters/html/late-sanitizer.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { systemIds } from '../../adapters/system/ids.ts';
import { systemPauses } from '../../adapters/system/pauses.ts';
import { versions } from '../../adapters/versions/versions.ts';
import { areaModule, type Overrides } from './binder.ts';
import type { Engines, Settings } from './engine-settings.ts';
import { linksOn } from './links.ts';

/** The engines that were opened, and what reaches the outside without them. */
export const outside = (
  overrides: Overrides,
  { table, objects, licenseSigner, artifactSigner }: Engines,
  settings: Settings,
) =>
  areaModule(overrides, (binder) =>
    binder
      .made('table', [], () => table)
      .made('objects', [], () => objects)
      .made('licenseSigner', [], () => licenseSigner)
      .made('artifactSigner', [], () => artifactSigner)
      .made('settings', [], () => settings)
      .made('links', [], () => linksOn(settings.urls))
      .made('clock', [], () => systemClock)
      .made('ids', [], () => systemIds())
      .made('pauses', [], () => systemPauses)
      .made('keySecrets', [], () => keySecrets)
      .made('passwords', [], () => scryptPasswords)
      .made('versions', [], () => versions)
      .made('htmlSanitizer', [], () => htmlSanitizer),
  );
