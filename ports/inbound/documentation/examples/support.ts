const ticket = {
  id: 373_283_905_540_002,
  kind: 'app_report',
  status: 'open',
  created_at: '2026-11-21T08:00:00.000Z',
  reports: 1,
  bundle: {
    name: 'diagnostics.zip',
    size: 48_213,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
};

/** Example answers of the support endpoints. */
export const supportExamples = {
  errorReceipt: {
    report: {
      id: 373_283_905_536_001,
      group: 'v1:5f0c4ff3d0a1be7c9e1d2f9d3a6b8c70',
      received_at: '2026-11-21T08:00:00.000Z',
    },
  },
  supportTicket: { ticket, deduplicated: false },
  supportTicketJoined: { ticket: { ...ticket, reports: 2, bundle: null }, deduplicated: true },
};
