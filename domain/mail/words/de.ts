import type { MailWords } from './en.ts';

export const german: MailWords = {
  order: 'Bestellung',
  product: 'Produkt',
  products: 'Produkte',
  toProducts: 'Zu Ihren Produkten',
  toPasskeys: 'Zu Ihren Passkeys',
  toTicket: 'Zu Ihrer Supportanfrage',
  sale: {
    date: 'Datum',
    seller: 'Verkäufer',
    vat: 'Enthaltene MwSt.',
    total: 'Gesamtbetrag',
    usable: 'Weiterhin nutzbar',
    ended: 'Nicht mehr nutzbar',
    receipt: 'Zum Beleg',
    closing: 'Stimmt etwas mit dieser Bestellung nicht? Antworten Sie einfach auf diese E-Mail.',
  },
  licenseKey: {
    name: (product) => `Lizenzschlüssel (${product})`,
    kept: (prefix) => `${prefix}… (Ihr bisheriger Schlüssel)`,
    subject: (product) => `Ihr Lizenzschlüssel für ${product}`,
    use: 'Fügen Sie den Lizenzschlüssel in die Anwendung ein, sobald sie danach fragt, und geben Sie ihn nicht weiter.',
    lost: 'Sollten Sie den Schlüssel verlieren, können Sie ihn in Ihrem Konto unter „Produkte“ ersetzen.',
  },
  paid: {
    subject: (product, number) => `${product}: Ihre Bestellung ${number}`,
    subjectOfMore: (product, more, number) => `${product} und ${more} weitere: Ihre Bestellung ${number}`,
    text: 'Vielen Dank für Ihre Bestellung. Über den Link unten gelangen Sie zu Ihren Produkten.',
    textOfDownload: 'Vielen Dank für Ihre Bestellung. Über den Link unten gelangen Sie zu Ihrem Download.',
    download: (product) => `${product} herunterladen`,
    signsIn: (days) =>
      `Innerhalb von ${days} Tagen meldet sie Sie einmal an, und zwar auf dem Computer, auf dem Sie sie öffnen; danach melden Sie sich wie gewohnt an. Leiten Sie diese E-Mail bis dahin nicht weiter: Wer sie zuerst öffnet, ist in Ihrem Konto angemeldet.`,
  },
  refund: {
    subject: (number) => `Erstattung zu Ihrer Bestellung ${number}`,
    all: (amount) => `Wir haben Ihnen Ihre Bestellung vollständig erstattet: ${amount}.`,
    part: (amount) => `Wir haben Ihnen einen Teil Ihrer Bestellung erstattet: ${amount}.`,
    rest: (amount) => `Wir haben Ihnen den Rest Ihrer Bestellung erstattet: ${amount}.`,
    allUsable: 'Die Produkte können Sie weiterhin nutzen.',
    someEnded: 'Einen Teil der Produkte können Sie nicht mehr nutzen.',
    allEnded: 'Die Produkte können Sie nicht mehr nutzen.',
  },
  transfer: {
    subject: (product) => `Eine Lizenz von ${product} für Sie`,
    text: (sender, day) =>
      `${sender} möchte Ihnen diese Lizenz geben. Sie gehört Ihnen, sobald Sie annehmen, spätestens am ${day}; Lizenzschlüssel und Geräte kommen womöglich mit.`,
    button: 'Angebot ansehen',
    closing: 'Wenn Sie den Absender nicht kennen, ignorieren Sie diese Nachricht. Nichts ändert sich.',
  },
  received: {
    subject: (product) => `Sie haben eine Lizenz von ${product}`,
    text: 'Die Lizenz ist jetzt in Ihrem Konto, mit ihren Lizenzschlüsseln und Geräten.',
  },
  transferred: {
    subject: (product) => `Ihre Lizenz von ${product} ist in ein anderes Konto umgezogen`,
    text: 'Die Lizenz ist jetzt in einem anderen Konto. Die Bestellung und ihr Beleg bleiben in Ihrem.',
    closing: 'Wenn Sie das nicht veranlasst haben, antworten Sie gleich auf diese Nachricht.',
  },
  overUsed: {
    subject: (product) => `Mehr Plätze von ${product} vergeben als gekauft`,
    text: 'In Ihrem Team haben mehr Personen einen Platz, als Sie gekauft haben. Niemand verliert seinen Platz, aber Einladungen sind erst wieder möglich, wenn Plätze frei werden oder Sie weitere kaufen.',
    button: 'Zum Team',
    closing: 'Wenn Sie die Zahl der Plätze nicht geändert haben, antworten Sie auf diese Nachricht.',
  },
  restored: {
    subject: (number) => `Ihre Bestellung ${number} ist wieder bezahlt`,
    text: 'Ihre Bestellung ist wieder bezahlt. Sie können die Produkte wie zuvor nutzen.',
  },
  key: {
    subject: 'Neuer Schlüssel für Ihr Konto',
    text: 'Für Ihr Konto wurde ein neuer Schlüssel erstellt.',
    name: 'Schlüssel',
    button: 'Zu Ihren Schlüsseln',
    closing: 'Waren Sie das nicht? Dann widerrufen Sie den Schlüssel und legen Sie ein neues Passwort fest.',
  },
  device: {
    subject: 'Ein neues Gerät nutzt Ihre Lizenz',
    text: 'Mit Ihrer Lizenz wurde ein neues Gerät registriert.',
    name: 'Gerät',
    button: 'Zu Ihren Geräten',
    closing: 'Waren Sie das nicht? Dann geben Sie das Gerät frei und legen Sie ein neues Passwort fest.',
  },
  passkey: {
    subject: 'Neuer Passkey für Ihr Konto',
    text: 'Ihrem Konto wurde ein Passkey hinzugefügt. Er meldet Sie ohne Passwort an.',
    closing:
      'Waren Sie das nicht? Dann entfernen Sie alle Passkeys, die Sie nicht kennen, und legen Sie ein neues Passwort fest.',
  },
  passkeyRemoved: {
    subject: 'Ein Passkey Ihres Kontos wurde entfernt',
    text: 'Aus Ihrem Konto wurde ein Passkey entfernt. Sie können sich damit nicht mehr anmelden.',
  },
  passwordChanged: {
    subject: 'Das Passwort Ihres Kontos wurde geändert',
    text: 'Ihr Konto hat ein neues Passwort. Alle anderen Browser wurden abgemeldet.',
    button: 'Zur Sicherheit Ihres Kontos',
    closing:
      'Waren Sie das nicht? Dann fordern Sie einen Anmeldelink an und legen Sie ein neues Passwort fest, oder antworten Sie sofort auf diese E-Mail.',
  },
  lockedOut: {
    subject: 'Alle Anmeldewege Ihres Kontos wurden beendet',
    text: 'Wir haben alle Browser abgemeldet und Passwort, Passkeys, Schlüssel und verbundene Anwendungen Ihres Kontos beendet. Ihre Käufe bleiben. Melden Sie sich mit einem Link an, den wir an diese Adresse senden.',
    button: 'Anmelden',
    closing: 'Haben Sie uns nicht darum gebeten, oder haben Sie Fragen? Antworten Sie einfach auf diese E-Mail.',
  },
  withdrawal: {
    subject: (order) => `Ihr Widerruf zur Bestellung ${order}`,
    text: 'Ihr Widerruf zu dieser Bestellung ist bei uns eingegangen. Bewahren Sie diese E-Mail als Bestätigung auf.',
    next: 'Wir sehen uns die Bestellung nun an und antworten Ihnen in der Supportanfrage, die Sie unten finden. Steht Ihnen Geld zu, erhalten Sie es auf demselben Weg zurück, auf dem Sie bezahlt haben.',
    received: 'Eingegangen',
    closing: 'Stimmt etwas mit diesem Widerruf nicht? Antworten Sie einfach auf diese E-Mail.',
  },
  ticket: {
    subject: (number) => `Ihre Nachricht ist angekommen [${number}]`,
    text: 'Vielen Dank für Ihre Nachricht. Wir antworten Ihnen per E-Mail und in der Supportanfrage, die Sie unten finden.',
    number: 'Anfrage',
    closing: 'Sie können Ihre Anfrage dort jederzeit ergänzen.',
  },
  answer: {
    subject: (number) => `Antwort auf Ihre Anfrage [${number}]`,
    text: 'Wir haben Ihre Supportanfrage beantwortet:',
    closing: 'Hilft Ihnen das nicht weiter? Antworten Sie einfach auf diese E-Mail.',
  },
  invitation: {
    subject: (product) => `Einladung zu ${product}`,
    text: (from, product) => `${from} lädt Sie in das Team ein, das ${product} verwendet.`,
    billing: (from, product) => `${from} lädt Sie ein, die Plätze des Teams für ${product} zu verwalten.`,
    button: 'Einladung ansehen',
    closing: (days) =>
      `Die Einladung gilt ${days} Tage, und ohne Ihre Zustimmung geschieht nichts. Kennen Sie den Absender nicht? Dann ignorieren Sie diese E-Mail.`,
  },
  emailChange: {
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    text: (minutes) =>
      `Jemand möchte diese Adresse für ein Konto bei uns verwenden. Der Link funktioniert einmal und ${minutes} Minuten lang, in einem Browser, der in diesem Konto angemeldet ist.`,
    button: 'Adresse bestätigen',
    closing: 'Haben Sie das nicht angefordert? Dann ignorieren Sie diese E-Mail. Es ändert sich nichts.',
  },
  emailChanged: {
    subject: 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
    text: 'Ihr Konto hat eine neue E-Mail-Adresse. Mit dieser hier können Sie sich nicht mehr anmelden, und sie erhält keine weiteren Nachrichten von uns.',
    undo: 'Das war ich nicht',
    undoText:
      'Waren Sie das nicht? Über die Schaltfläche stellen Sie diese Adresse eine Woche lang wieder her, ohne sich anzumelden.',
    button: 'Zu Ihrem Profil',
    closing: 'Waren Sie das nicht? Antworten Sie sofort auf diese E-Mail.',
  },
  signIn: {
    subject: 'Ihr Anmeldelink',
    text: (minutes) => `Dieser Link meldet Sie einmal an. Er läuft in ${minutes} Minuten ab.`,
    password: 'Danach können Sie ein neues Passwort festlegen.',
    button: 'Anmelden',
    closing: 'Haben Sie ihn nicht angefordert? Dann ignorieren Sie diese E-Mail. Ohne sie kann sich niemand anmelden.',
  },
  consoleSignIn: {
    subject: 'Ihr Link zur Konsole',
    text: (minutes) => `Dieser Link öffnet die Konsole Ihres Shops einmal. Er läuft in ${minutes} Minuten ab.`,
    button: 'Konsole öffnen',
    closing:
      'Mit ihm lässt sich der Shop führen: Geben Sie ihn niemandem. Haben Sie ihn nicht angefordert? Dann ignorieren Sie diese E-Mail.',
  },
  notice: {
    kinds: {
      sale: 'Verkauf',
      failed_renewal: 'Verlängerung fehlgeschlagen',
      dispute: 'Zahlungsanfechtung',
      withdrawal: 'Widerruf',
      ticket: 'Anfrage',
      payment_event: 'Zahlung nicht erfasst',
      doctor: 'Störung',
      disk: 'Speicherplatz',
      backup: 'Sicherung',
    },
    texts: {
      sale: 'Eine Bestellung wurde bezahlt.',
      failed_renewal:
        'Ein Abonnement konnte nicht verlängert werden, weil die Zahlung fehlschlug. Der Zahlungsanbieter versucht es erneut.',
      dispute: 'Eine Bank fordert diese Zahlung zurück. Antworten Sie fristgerecht bei Ihrem Zahlungsanbieter.',
      withdrawal: 'Diese Bestellung wurde widerrufen. Erstatten Sie sie, oder antworten Sie in der Anfrage.',
      ticket: 'Sie haben eine Nachricht aus dem Support.',
      payment_event:
        'Eine Meldung Ihres Zahlungsanbieters konnte nicht erfasst werden. Es fehlt vielleicht ein Verkauf.',
      doctor: 'Bei der Prüfung Ihres Shops wurde ein Problem gefunden.',
      disk: 'Der Speicherplatz ist fast voll. Ist er voll, kann der Shop nichts mehr verkaufen.',
      backup: 'Es gibt keine aktuelle Sicherung des Shops.',
    },
    mended: 'Behoben',
    mendedText: 'Dieses Problem ist behoben. Sie müssen nichts mehr tun.',
    more: (most) =>
      `Das ist die ${most}. Nachricht dieser Art in dieser Stunde. Weitere erhalten Sie danach in einer Zusammenfassung.`,
    others: (count) => `und ${count} weitere`,
    hour: 'Zusammenfassung der Stunde',
    hourText: (most) => `Nach den ersten ${most} Nachrichten der Stunde stehen alle weiteren in dieser.`,
    day: 'Tageszusammenfassung',
    dayText: 'Das ist seit der letzten Zusammenfassung geschehen.',
    test: 'Test: Die Nachrichten Ihres Shops kommen an',
    testText: 'Dieser Test wurde in der Konsole angefordert. Die Nachrichten Ihres Shops gehen an diese Adresse.',
    button: 'Konsole öffnen',
    change: 'Nachrichten auswählen',
    closing: 'Sie erhalten diese Nachricht, weil Sie diesen Shop betreiben.',
  },
};
