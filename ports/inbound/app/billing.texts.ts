export const appBillingTexts = {
  checkAppsSubscription: {
    group: 'App distribution',
    summary: 'Check the apps subscription',
    description:
      'The apps and features that the account’s apps subscription allows. After a failed renewal, the subscription stays active during its grace period, with a warning. A license check of these apps passes for the same time. A subscription that begins later allows nothing yet, and `message` says when it begins.',
    tool: {
      description:
        'Tells which apps and features the account’s apps subscription allows, and whether a failed renewal is in its grace period.',
    },
  },
} as const;
