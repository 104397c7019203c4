import { digest } from '../../adapters/crypto/digest.ts';
import { KeptPolicyKeys } from '../../adapters/crypto/kept-policy-keys.ts';
import { keySecrets } from '../../adapters/crypto/key-secrets.ts';
import { scryptPasswords } from '../../adapters/crypto/passwords.ts';
import { Ed25519PolicySigner } from '../../adapters/crypto/policy-signer.ts';
import { htmlSanitizer } from '../../adapters/html/late-sanitizer.ts';
import { MemoryKeyRings } from '../../adapters/memory/memory-key-rings.ts';
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
  { table, objects, licenseSigner, artifactSigner, keyRings }: Engines,
  settings: Settings,
) =>
  areaModule(overrides, (binder) =>
    binder
      .made('table', [], () => table)
      .made('objects', [], () => objects)
      .made('licenseSigner', [], () => licenseSigner)
      .made('artifactSigner', [], () => artifactSigner)
      .made('keyRings', [], () => keyRings ?? new MemoryKeyRings())
      .made('policyKeys', ['keyRings'], (rings) => new KeptPolicyKeys(rings))
      .made('policySigner', [], () => new Ed25519PolicySigner())
      .made('settings', [], () => settings)
      .made('links', [], () => linksOn(settings.urls))
      .made('clock', [], () => systemClock)
      .made('ids', [], () => systemIds())
      .made('pauses', [], () => systemPauses)
      .made('keySecrets', [], () => keySecrets)
      .made('digest', [], () => digest)
      .made('passwords', [], () => scryptPasswords)
      .made('versions', [], () => versions)
      .made('htmlSanitizer', [], () => htmlSanitizer),
  );
