export const appDeliveryTexts = {
  getAppcast: {
    group: 'App distribution',
    summary: 'Get an application’s appcast',
    description:
      'The update feed of an application for Sparkle 2, newest release first. Withdrawn releases and releases whose moment is to come are left out. A public feed needs no key. With the key of an account that may use the product, the feed leaves out the releases beyond the update window. A key that brings no access gets the public feed as without a key; an invalid or revoked key is refused. If the feed is not public, its links carry a ticket in place of the key, and work without a header for a day while the key is live. A product that is off sale keeps its feed. Other parameters are ignored.',
    pathExamples: { id: 3 },
  },
  openUpdateFile: {
    group: 'App distribution',
    summary: 'Get a feed of electron-updater or Velopack, or a file of one',
    description:
      'The folder that electron-updater’s generic provider and Velopack’s web source read. A feed has the newest release of its channel, of those that the appcast would offer, whose version is a semantic one. The feeds of electron-updater are JSON, which is YAML too. While a phased rollout runs, electron-updater is told its percentage, and Velopack is offered the release before. Readers and tickets are those of the appcast; Velopack’s names of files have no room for a ticket, so that its downloads need the key too where the feed is not public. Any other name of a file is a file of a release, and leads to a signed URL. Other parameters are ignored.',
    pathExamples: { id: 3, file: 'releases.osx.json' },
  },
  getTauriUpdate: {
    group: 'App distribution',
    summary: 'Get the update of a Tauri application',
    description:
      'The newest release of the channel, of those that the appcast would offer, that has a file with the signature of Tauri’s signer for the application’s platform. 204 where the application has it already, or no file fits. A phased rollout shows the release once everybody’s turn has come. Readers and tickets are those of the appcast.',
    pathExamples: { id: 3, target: 'windows', arch: 'x86_64', installed: '1.1.0' },
  },
  downloadRelease: {
    group: 'App distribution',
    summary: 'Download a release',
    description:
      'Redirects to a signed URL that is valid for 15 minutes, needs no credential and supports ranges. A product with a public feed needs no key; a product without an update feed always needs one. If a request has a key, the key decides and the ticket is ignored. A ticket ends with the key that its feed was read with. A withdrawn release is refused with the reason.',
    pathExamples: { release: 34 },
  },
} as const;
