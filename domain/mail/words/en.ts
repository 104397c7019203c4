/** The English words of messages to buyers. `MailWords` makes the other languages have the same ones. */
export const english = {
  /** The parts that messages share. */
  order: 'Order',
  product: 'Product',
  products: 'Products',
  toProducts: 'See your products',
  toPasskeys: 'See your passkeys',
  toTicket: 'See your support ticket',
  sale: {
    date: 'Date',
    seller: 'Seller',
    vat: 'VAT included',
    total: 'Total',
    usable: 'Still usable',
    ended: 'No longer usable',
    receipt: 'Receipt',
    closing: 'If something is wrong with this order, just reply to this message.',
  },
  licenseKey: {
    name: (product: string) => `License key (${product})`,
    kept: (prefix: string) => `${prefix}… (the key that you already have)`,
    subject: (product: string) => `Your license key for ${product}`,
    use: 'Paste the license key into the application when it asks for one, and keep it to yourself.',
    lost: 'If you lose the key, replace it under Products in your account.',
  },
  paid: {
    subject: (product: string, number: string) => `${product}: your order ${number}`,
    subjectOfMore: (product: string, more: number, number: string) =>
      `${product} and ${more} more: your order ${number}`,
    text: 'Thank you for your order. The link below leads to your products.',
    textOfDownload: 'Thank you for your order. The link below leads to your download.',
    download: (product: string) => `Download ${product}`,
    signsIn: (days: number) =>
      `It signs you in once within ${days} days, on the computer where you open it; after that, you sign in as usual. Until then, do not forward this message: whoever opens it first is signed in to your account.`,
  },
  refund: {
    subject: (number: string) => `Refund for your order ${number}`,
    all: (amount: string) => `We have refunded your order in full: ${amount}.`,
    part: (amount: string) => `We have refunded a part of your order: ${amount}.`,
    rest: (amount: string) => `We have refunded the rest of your order: ${amount}.`,
    allUsable: 'You can go on using its products.',
    someEnded: 'Some of its products can no longer be used.',
    allEnded: 'Its products can no longer be used.',
  },
  transfer: {
    subject: (product: string) => `A license of ${product} for you`,
    text: (sender: string, day: string) =>
      `${sender} wants to give you this license. It becomes yours once you accept, at the latest on ${day}; its license keys and devices may come with it.`,
    button: 'See the offer',
    closing: 'If you don’t know the sender, ignore this message. Nothing changes.',
  },
  received: {
    subject: (product: string) => `You have a license of ${product}`,
    text: 'The license is in your account now, with its license keys and devices.',
  },
  transferred: {
    subject: (product: string) => `Your license of ${product} moved to another account`,
    text: 'The license is in another account now. The order and its receipt stay in yours.',
    closing: 'If you did not ask for this, reply to this message right away.',
  },
  overUsed: {
    subject: (product: string) => `More seats of ${product} are taken than you have`,
    text: 'More people have a seat of your team than you have bought. Nobody loses a seat, but nobody can be invited until people leave or you buy more seats.',
    button: 'See the team',
    closing: 'If you did not change the number of seats, reply to this message.',
  },
  restored: {
    subject: (number: string) => `Your order ${number} is paid again`,
    text: 'Your order is paid again, and you can use its products as before.',
  },
  key: {
    subject: 'A new key for your account',
    text: 'A new key was created for your account.',
    name: 'Key',
    button: 'See your keys',
    closing: 'If this was not you, revoke the key and set a new password.',
  },
  device: {
    subject: 'A new device uses your license',
    text: 'A new device was registered with your license.',
    name: 'Device',
    button: 'See your devices',
    closing: 'If this was not you, release the device and set a new password.',
  },
  passkey: {
    subject: 'A new passkey for your account',
    text: 'A passkey was added to your account. It signs you in without your password.',
    closing: 'If this was not you, remove any passkey that you don’t recognize and set a new password.',
  },
  passkeyRemoved: {
    subject: 'A passkey of your account was removed',
    text: 'A passkey was removed from your account. It no longer signs you in.',
  },
  passwordChanged: {
    subject: 'The password of your account was changed',
    text: 'Your account has a new password. All other browsers were signed out.',
    button: 'See your account’s security',
    closing: 'If this was not you, ask for a sign-in link and set a new password, or reply to this message right away.',
  },
  lockedOut: {
    subject: 'Every way to sign in to your account was ended',
    text: 'We signed out every browser and ended the password, passkeys, keys and connected applications of your account. Your purchases stay. Sign in with a link that we mail to this address.',
    button: 'Sign in',
    closing: 'If you did not ask us for this, or have questions, just reply to this message.',
  },
  withdrawal: {
    subject: (order: string) => `Your withdrawal from order ${order}`,
    text: 'We have received your withdrawal from this order. Keep this message as its confirmation.',
    next: 'Next we look at the order and answer in the support ticket below. Money that is due goes back the way you paid.',
    received: 'Received',
    closing: 'If something is wrong with this withdrawal, just reply to this message.',
  },
  ticket: {
    subject: (number: string) => `We have your message [${number}]`,
    text: 'Thank you for writing. Your message reached us, and we answer by email and in the ticket below.',
    number: 'Ticket',
    closing: 'You can add to it in the ticket at any time.',
  },
  answer: {
    subject: (number: string) => `Answer to your ticket [${number}]`,
    text: 'We have answered your support ticket:',
    closing: 'If this does not help, just reply to this message.',
  },
  invitation: {
    subject: (product: string) => `You are invited to use ${product}`,
    text: (from: string, product: string) => `${from} invites you to the team that uses ${product}.`,
    billing: (from: string, product: string) =>
      `${from} invites you to manage the seats of the team that uses ${product}.`,
    button: 'See the invitation',
    closing: (days: number) =>
      `The invitation lasts ${days} days, and nothing happens unless you accept it. If you do not know the sender, ignore this message.`,
  },
  emailChange: {
    subject: 'Confirm your new email address',
    text: (minutes: number) =>
      `Somebody asked to use this address for an account with us. The link works once, for ${minutes} minutes, in a browser that is signed in to that account.`,
    button: 'Confirm the address',
    closing: 'If you did not ask for it, ignore this message. Nothing changes.',
  },
  emailChanged: {
    subject: 'The email address of your account was changed',
    text: 'Your account has a new email address. You can no longer sign in with this one, and it gets no more messages from us.',
    undo: 'This was not me',
    undoText: 'If this was not you, the button restores this address for a week, without a sign-in.',
    button: 'See your profile',
    closing: 'If this was not you, reply to this message right away.',
  },
  signIn: {
    subject: 'Your sign-in link',
    text: (minutes: number) => `This link signs you in once. It expires in ${minutes} minutes.`,
    password: 'After that you can set a new password.',
    button: 'Sign in',
    closing: 'If you did not ask for it, ignore this message. Nobody can sign in without it.',
  },
  consoleSignIn: {
    subject: 'Your link to the console',
    text: (minutes: number) => `This link opens the console of your shop once. It expires in ${minutes} minutes.`,
    button: 'Open the console',
    closing:
      'It lets you run the shop: give it to nobody. If you neither asked for it nor joined the people of the shop, ignore this message.',
  },
  /** To the people who run the shop. */
  notice: {
    kinds: {
      sale: 'Sale',
      failed_renewal: 'Failed renewal',
      dispute: 'Dispute',
      withdrawal: 'Withdrawal',
      ticket: 'Ticket',
      payment_event: 'Payment not recorded',
      doctor: 'Problem',
      disk: 'Disk',
      backup: 'Backup',
    },
    texts: {
      sale: 'A customer has paid for an order.',
      failed_renewal:
        'A subscription could not be renewed, because the payment failed. The payment provider tries again.',
      dispute:
        'A customer’s bank claims this payment back. Answer the dispute at your payment provider before its deadline.',
      withdrawal: 'A customer has withdrawn from this order. Refund it, or answer in the ticket.',
      ticket: 'A customer has written to you.',
      payment_event: 'Your payment provider reported something that could not be recorded, so a sale may be missing.',
      doctor: 'The examination of your shop found a problem.',
      disk: 'The disk is nearly full. Once it is full, the shop can sell nothing.',
      backup: 'There is no recent backup of the shop.',
    },
    mended: 'Solved',
    mendedText: 'This problem is solved. There is nothing left to do.',
    more: (most: number) =>
      `This is the ${most}th message of this kind in this hour. If there are more, you get them in one summary after the hour.`,
    others: (count: number) => `and ${count} more`,
    hour: 'Summary of the hour',
    hourText: (most: number) => `After the first ${most} messages of the hour, the rest are in this one.`,
    day: 'Daily summary',
    dayText: 'This has happened since the last summary.',
    test: 'Test: notices of your shop reach you',
    testText: 'Somebody asked for this test in the console. The notices of your shop come to this address.',
    button: 'Open the console',
    change: 'Choose your notices',
    closing: 'You get this message because you run this shop.',
  },
};

export type MailWords = typeof english;
