import type { Plan } from '../plan.ts';

/** The value of a new token for a design agent, as a word of shell. */
const tokenOf = (role: string): string =>
  `$(npm run -s cli -- agent-token create --role ${role} --name ${role} --json | jq -r .token)`;

const START = ['npm start', 'export DESIGN_URL=http://127.0.0.1:8788'];

/** Writes a version of the document `buttons`, which becomes the current one if a reviewer's token approves it. */
const writeVersion = (version: number, base: number): readonly string[] => [
  `curl -sS "$DESIGN_URL/api/agent/docs/buttons/versions" -H "Authorization: Bearer $WRITE" -H 'Content-Type: application/json' -d '{"body": "# Buttons ${version}", "base_version": ${base}}'`,
  `curl -sS -X POST "$DESIGN_URL/api/agent/docs/buttons/versions/${version}/submit" -H "Authorization: Bearer $WRITE"`,
];

const approve = (version: number): string =>
  `curl -sS "$DESIGN_URL/api/agent/reviews" -H "Authorization: Bearer $REVIEW" -H 'Content-Type: application/json' -d '{"slug": "buttons", "version": ${version}, "verdict": "approved", "reason": "Good."}'`;

const openRun = (address: string, token: string): string =>
  `curl -sS ${address}/api/agent/collect/runs -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' -d '{"viewports": ["desktop"], "langs": ["en"], "apps": null}' | jq .run.id`;

const PAGE = { 'home.html': '<title>Home</title>', 'site.css': 'p { color: red }' };

/** The plans of the documents for agents, and for whoever runs them. */
export const AGENTS: Readonly<Record<string, Plan>> = {
  'docs/design-host.md': {
    before: {
      '/captures': [
        'cp docs/pictures/gallery-phone.png page.png',
        `RUN=${`$(${openRun('http://127.0.0.1:8788', '$DESIGN_TOKEN')})`}`,
      ],
      'api=http': [`WRITE=${tokenOf('write')}`, `REVIEW=${tokenOf('review')}`, `READ=${tokenOf('read')}`],
    },
    values: {
      'revoke ID': (said) => `revoke ${/\d{6,}/.exec(said('agent-token create'))?.[0]}`,
      'agt_…': `${tokenOf('collect')}`,
      'main.ts --design': 'main.ts --pages sign-in --viewports desktop --langs en --design',
      'show RUN': (said) => `show ${/\d{6,}/.exec(said('collect list'))?.[0]}`,
      'replay RUN': (said) => `replay ${/\d{6,}/.exec(said('collect list'))?.[0]}`,
      'key=…': `key=${'a'.repeat(40)}`,
      'url=…': 'url=https://shop.example.com/',
      '"$UPLOAD_URL"': (said) => `'${JSON.parse(said('/captures')).uploads.image.url}'`,
    },
  },
  'docs/metrics.md': { prints: { 'curl -sS': /^account_service_build_info/m } },
  'docs/sign-in.md': {
    before: { 'account=http': ['npm start'] },
    values: { 'device_code=…': (said) => `device_code=${JSON.parse(said('device_authorization')).device_code}` },
    // The answer is `authorization_pending` until the buyer has approved the code.
    refused: { 'device_code=…': 22 },
    prints: { 'device_code=…': /authorization_pending/ },
  },
  'examples/collector/README.md': {
    values: {
      'agt_…': (said) => /agt_\w+/.exec(said('agent-token create'))?.[0] ?? 'none',
      'main.ts --design': 'main.ts --pages sign-in --viewports desktop --langs en --design',
    },
  },
  'examples/store/sources/library-keeper/library-keeper/SKILL.md': {
    before: {
      'api() {': [
        'npm start',
        'export ACCOUNT_API_URL=http://127.0.0.1:8787',
        'export ACCOUNT_API_KEY=$(npm run -s cli -- key create --account 1 --name keeper --abilities products.read,device.entitlements,device.install,device.usage --json | jq -r .key)',
      ],
    },
  },
  'adapters/host/design-skill/SKILL.md': { before: { manifest: [...START, `TOKEN=${tokenOf('read')}`] } },
  'adapters/host/design-skill/references/collecting.md': {
    files: PAGE,
    before: {
      'run=$(': ['cp docs/pictures/gallery-phone.png home.png', ...START, `TOKEN=${tokenOf('collect')}`],
      'url=$(': [`run=$(${openRun('"$DESIGN_URL"', '$TOKEN')})`, 'cp docs/pictures/gallery-desktop.png home.png'],
      '[ -z': ['[ -n "$url" ]'],
    },
  },
  'adapters/host/design-skill/references/gallery.md': { before: { taxonomy: START } },
  'adapters/host/design-skill/references/reviewing.md': {
    before: {
      reviews: [
        ...START,
        `WRITE=${tokenOf('write')}`,
        ...[1, 2, 3].flatMap((version) => writeVersion(version, 0)),
        `TOKEN=${tokenOf('review')}`,
      ],
    },
  },
  'adapters/host/design-skill/references/writing.md': {
    files: { 'buttons.md': '# Buttons\n\nThe focus ring is blue.\n' },
    before: {
      'docs/buttons" -H': [
        ...START,
        `WRITE=${tokenOf('write')}`,
        `REVIEW=${tokenOf('review')}`,
        `TOKEN=${tokenOf('read')}`,
        ...writeVersion(1, 0),
        approve(1),
        ...writeVersion(2, 1),
        approve(2),
      ],
      'jq -n': ['TOKEN=$WRITE'],
    },
  },
};
