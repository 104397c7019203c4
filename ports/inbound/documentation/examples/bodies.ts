/**
 * The bodies that the reference fills in. The demo account of the sample store (examples/store) can send them
 * unchanged.
 */
export const bodyExamples = {
  createDocumentVersion: { body: '# Buttons\n\nA button has one line of text.\n', base_version: 0 },
  createReview: { slug: 'buttons', version: 3, verdict: 'approved', reason: 'The new states are complete.' },
  checkLicense: { product_id: 4, device_id: 'macbook-7f3a', app_version: '1.2.0' },
  recordInstall: {
    product_id: 4,
    version: '1.2.0',
    installed_at: '2026-11-20T08:44:00Z',
    release_id: 43,
    artifact_sha256: '2d3489787f9fb01349550b1501165b86d688827a6653b1f9a79ef1f3e3eccbfb',
  },
  reportError: {
    app_bundle_id: 'com.example.quietdesk.pocket-memo',
    app_version: '2.2',
    os_version: 'macOS 15.1',
    device_model: 'Mac16,1',
    error_type: 'crash',
    error_message: 'Index out of range',
    stack_trace: 'at MemoList.row (MemoList.swift:41)',
    context: { screen: 'list' },
  },
  reportProblem: {
    kind: 'app_report',
    summary: 'The list stays empty',
    detail: 'After an hour asleep the list of memos is empty until the application is opened again.',
    app_bundle_id: 'com.example.quietdesk.pocket-memo',
    app_version: '2.2',
    macos_version: '15.1',
    device_id: 'macbook-7f3a',
  },
  openCollectRun: { viewports: ['desktop', 'mobile'], langs: ['ko', 'en'], apps: ['core', 'support'] },
  uploadCollectAsset: {
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    type: 'css',
    url: 'https://app.example.com/main.css',
  },
  uploadCollectCapture: {
    key: 'b3c6e0d4a8f14e5c9d2b7a6f0e1c3d5b7f9a1c2e',
    url: 'https://app.example.com/orders',
    viewport: 'desktop',
    lang: 'en',
    auth: true,
    outcome: 'ok',
    meta: '{"title":"Your orders","app":"core","flow":"Buying","step":4}',
  },
  failCollectRun: { error: 'The browser was closed.' },
  submitCollectRun: { accounts: [{ found: true, reason: null }], build_versions: ['2026.11.3'] },
  saveSetupProgress: { completed_step_indexes: [0, 1] },
  uploadUsage: {
    consent: true,
    days: [{ product_id: 4, usage_date: '2026-11-20', launches: 12, commands: { verify: 9 } }],
  },
};
