import { CheckLicense } from '../../application/licensing/check-license.ts';
import { GrantEntitlement } from '../../application/licensing/grant-entitlement.ts';
import { LicenseTokens } from '../../application/licensing/license-tokens.ts';
import { RevokeLicenseDevice } from '../../application/licensing/revoke-license-device.ts';
import { ShowLicense } from '../../application/licensing/show-license.ts';
import { areaModule, type Overrides } from './binder.ts';

export const licensing = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('licenseTokens', LicenseTokens, ({ licenseSigner, links }) => ({ licenseSigner, links }))
      .part('checkLicense', CheckLicense, (part) => ({
        catalogs: part.catalogs,
        devices: part.devices,
        releases: part.releases,
        versions: part.versions,
        links: part.links,
        clock: part.clock,
        pauses: part.pauses,
        readAccess: part.readAccess,
        licenseTokens: part.licenseTokens,
      }))
      .part('showLicense', ShowLicense, ({ devices, links }) => ({ devices, links }))
      .part('revokeLicenseDevice', RevokeLicenseDevice, ({ devices, revokeApiKey, pauses }) => ({
        devices,
        revokeApiKey,
        pauses,
      }))
      .part('grantEntitlement', GrantEntitlement, ({ accounts, catalogs, grants, ids, clock }) => ({
        accounts,
        catalogs,
        grants,
        ids,
        clock,
      })),
  );
