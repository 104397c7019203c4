/** Example answers of the public endpoints. */
const checks = [
  ['released', 'Every product has a release'],
  ['platforms', 'Every platform that a product names has a file'],
  ['checksums', 'Every file has its sha256 and size'],
  ['signatures', 'Every file is signed'],
] as const;

const lineage = {
  id: 1,
  slug: 'memo',
  name: 'Memo',
  description: 'Short notes, on every device.',
  active: true,
};

export const publicExamples = {
  downloadPipeline: {
    channels: [
      {
        channel: 'stable',
        ready: false,
        catalog: {
          product_count: 1,
          released_count: 1,
          latest_released_at: '2026-07-07T01:00:00.000Z',
          products: [
            {
              id: 4,
              slug: 'hashcheck',
              name: 'Hashcheck',
              type: 'tool',
              release: {
                id: 43,
                version: '1.2.0',
                channel: 'stable',
                released_at: '2026-07-07T01:00:00.000Z',
                file_count: 4,
              },
            },
          ],
        },
        platforms: [
          {
            platform: 'darwin-arm64',
            product_count: 1,
            products: [{ id: 4, slug: 'hashcheck', version: '1.2.0' }],
          },
          { platform: 'any', product_count: 0, products: [] },
        ],
        checklist: [
          ...checks.map(([key, label]) => ({ key, label, ok: true, passed: 1, total: 1, missing: [] })),
          {
            key: 'notes',
            label: 'Release notes in Korean and English',
            ok: false,
            passed: 0,
            total: 1,
            missing: ['hashcheck'],
          },
        ],
      },
    ],
  },
  lineages: {
    lineages: [{ ...lineage, product_count: 2, current_product: { id: 3, slug: 'pocket-memo', name: 'Pocket Memo' } }],
  },
  lineage: {
    lineage: {
      ...lineage,
      products: [
        {
          position: 1,
          role: 'predecessor',
          id: 2,
          slug: 'tidy-lines',
          name: 'Tidy Lines',
          type: 'extension',
          type_label: 'Extension',
          description: null,
          active: false,
        },
        {
          position: 2,
          role: 'current',
          id: 3,
          slug: 'pocket-memo',
          name: 'Pocket Memo',
          type: 'app',
          type_label: 'App',
          description: 'Notes in the menu bar.',
          active: true,
        },
      ],
    },
  },
  disclosure: {
    ko: {
      company_name: '주식회사 예시',
      representative_name: '김대표',
      business_registration_number: '000-00-00000',
      mail_order_registration_number: '제2026-서울예시-0000호',
      address: '서울특별시 예시구 예시로 1',
      phone: '02-000-0000',
      email: 'help@example.com',
      website: 'https://example.com',
      ftc_biz_info_url: 'https://www.ftc.go.kr/bizCommPop.do?wrkr_no=0000000000',
    },
    en: {
      company_name: 'Example Inc.',
      representative_name: 'Daepyo Kim',
      business_registration_number: '000-00-00000',
      mail_order_registration_number: '2026-Seoul-Example-0000',
      address: '1 Example-ro, Example-gu, Seoul',
      phone: '+82 2 000 0000',
      email: 'help@example.com',
      website: 'https://example.com',
      ftc_biz_info_url: 'https://www.ftc.go.kr/bizCommPop.do?wrkr_no=0000000000',
    },
  },
} as const;
