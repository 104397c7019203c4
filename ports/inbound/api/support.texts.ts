import { inGroup } from '../documented.ts';

export const apiSupportTexts = inGroup('Support', {
  reportError: {
    summary: 'Report an error',
    description:
      'Reports a crash, an exception or a warning, without a credential and five times a minute from one address. An `Idempotency-Key` belongs to the address. Credentials, email addresses and the names of home directories are removed before anything is kept. Reports of the same error are counted as one group; the newest 20 reports of a group are kept for 90 days. An application can have 1000 new groups a day; further new errors are counted in one common group. Of a report, the first 4 KiB of the message and 16 KiB each of the stack trace and of the context are kept (UTF-8), with a mark where something was cut. In a day (UTC), 8 MiB of reports are kept of one address and 256 MiB of all; further reports are counted and not kept, and the answer is still 201.',
    tool: {
      title: 'Report an error of an application',
      description:
        'Reports a crash, an exception or a warning to the developer; personal data is removed. If the user wants an answer, use report_problem.',
    },
    bodyExample: {
      app_bundle_id: 'com.example.quietdesk.pocket-memo',
      app_version: '2.2',
      os_version: 'macOS 15.1',
      device_model: 'Mac16,1',
      error_type: 'crash',
      error_message: 'Index out of range',
      stack_trace: 'at MemoList.row (MemoList.swift:41)',
      context: { screen: 'list' },
    },
  },
  reportProblem: {
    summary: 'Report a problem',
    description:
      'Opens a ticket. A report with the same kind, app and text from the same account within 24 hours joins the ticket, and the answer is 200. Texts are kept as they are written, for three years. An account opens at most 50 tickets in a day (UTC); a further one is 429 until midnight. `bundle` is a file of diagnostics, sent as multipart/form-data. The file is kept unchanged for 90 days, never opened, and shown only to the operator and, on the account’s pages, to its sender. At most 20 files are kept for one ticket, and 200 MiB a day for one account; a report beyond that is accepted without its file.',
    tool: {
      title: 'Report a problem to support',
      description:
        'Opens a support ticket in the name of the user, which a person reads. Ask the user before you send it, and leave out passwords and keys.',
    },
    bodyExample: {
      kind: 'app_report',
      summary: 'The list stays empty',
      detail: 'After an hour asleep the list of memos is empty until the application is opened again.',
      app_bundle_id: 'com.example.quietdesk.pocket-memo',
      app_version: '2.2',
      macos_version: '15.1',
      device_id: 'macbook-7f3a',
    },
  },
});
