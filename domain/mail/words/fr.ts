import type { MailWords } from './en.ts';

export const french: MailWords = {
  order: 'Commande',
  product: 'Produit',
  products: 'Produits',
  toProducts: 'Voir vos produits',
  toPasskeys: 'Voir vos clés d’accès',
  toTicket: 'Voir votre demande d’assistance',
  sale: {
    date: 'Date',
    seller: 'Vendeur',
    vat: 'Dont TVA',
    total: 'Total',
    usable: 'Toujours utilisables',
    ended: 'Plus utilisables',
    receipt: 'Reçu',
    closing: 'Si quelque chose ne va pas avec cette commande, répondez simplement à ce message.',
  },
  licenseKey: {
    name: (product) => `Clé de licence (${product})`,
    kept: (prefix) => `${prefix}… (la clé que vous avez déjà)`,
    subject: (product) => `Votre clé de licence pour ${product}`,
    use: 'Collez la clé de licence dans l’application lorsqu’elle la demande, et ne la communiquez à personne.',
    lost: 'Si vous perdez la clé, remplacez-la sous Produits dans votre compte.',
  },
  paid: {
    subject: (product, number) => `${product} : votre commande ${number}`,
    subjectOfMore: (product, more, number) =>
      `${product} et ${more} ${more === 1 ? 'autre' : 'autres'} : votre commande ${number}`,
    text: 'Merci pour votre commande. Le lien ci-dessous mène à vos produits.',
    textOfDownload: 'Merci pour votre commande. Le lien ci-dessous mène à votre téléchargement.',
    download: (product) => `Télécharger ${product}`,
    signsIn: (days) =>
      `Il vous connecte une fois, dans les ${days} jours, sur l’ordinateur où vous l’ouvrez ; ensuite, vous vous connectez comme d’habitude. D’ici là, ne transférez pas ce message : la première personne qui l’ouvre est connectée à votre compte.`,
  },
  refund: {
    subject: (number) => `Remboursement de votre commande ${number}`,
    all: (amount) => `Nous avons remboursé votre commande en totalité : ${amount}.`,
    part: (amount) => `Nous avons remboursé une partie de votre commande : ${amount}.`,
    rest: (amount) => `Nous avons remboursé le reste de votre commande : ${amount}.`,
    allUsable: 'Vous pouvez continuer à utiliser ses produits.',
    someEnded: 'Certains de ses produits ne peuvent plus être utilisés.',
    allEnded: 'Ses produits ne peuvent plus être utilisés.',
  },
  transfer: {
    subject: (product) => `Une licence de ${product} pour vous`,
    text: (sender, day) =>
      `${sender} souhaite vous donner cette licence. Elle sera à vous dès que vous l’accepterez, au plus tard le ${day} ; ses clés et ses appareils peuvent l’accompagner.`,
    button: 'Voir l’offre',
    closing: 'Si vous ne connaissez pas l’expéditeur, ignorez ce message. Rien ne change.',
  },
  received: {
    subject: (product) => `Vous avez une licence de ${product}`,
    text: 'La licence est maintenant dans votre compte, avec ses clés de licence et ses appareils.',
  },
  transferred: {
    subject: (product) => `Votre licence de ${product} est passée à un autre compte`,
    text: 'La licence est maintenant dans un autre compte. La commande et son reçu restent dans le vôtre.',
    closing: 'Si vous n’êtes pas à l’origine de cette demande, répondez tout de suite à ce message.',
  },
  overUsed: {
    subject: (product) => `Plus de places de ${product} occupées qu’achetées`,
    text: 'Votre équipe compte plus de personnes que de places achetées. Personne ne perd la sienne, mais vous ne pouvez inviter personne tant que des places ne se libèrent pas ou que vous n’en achetez pas d’autres.',
    button: 'Voir l’équipe',
    closing: 'Si vous n’avez pas changé le nombre de places, répondez à ce message.',
  },
  restored: {
    subject: (number) => `Votre commande ${number} est de nouveau payée`,
    text: 'Votre commande est de nouveau payée, et vous pouvez utiliser ses produits comme auparavant.',
  },
  key: {
    subject: 'Une nouvelle clé pour votre compte',
    text: 'Une nouvelle clé a été créée pour votre compte.',
    name: 'Clé',
    button: 'Voir vos clés',
    closing: 'Si ce n’était pas vous, révoquez la clé et définissez un nouveau mot de passe.',
  },
  device: {
    subject: 'Un nouvel appareil utilise votre licence',
    text: 'Un nouvel appareil a été enregistré avec votre licence.',
    name: 'Appareil',
    button: 'Voir vos appareils',
    closing: 'Si ce n’était pas vous, libérez l’appareil et définissez un nouveau mot de passe.',
  },
  passkey: {
    subject: 'Une nouvelle clé d’accès pour votre compte',
    text: 'Une clé d’accès a été ajoutée à votre compte. Elle vous connecte sans votre mot de passe.',
    closing:
      'Si ce n’était pas vous, supprimez toute clé d’accès que vous ne reconnaissez pas et définissez un nouveau mot de passe.',
  },
  passkeyRemoved: {
    subject: 'Une clé d’accès de votre compte a été supprimée',
    text: 'Une clé d’accès a été supprimée de votre compte. Elle ne vous connecte plus.',
  },
  passwordChanged: {
    subject: 'Le mot de passe de votre compte a été changé',
    text: 'Votre compte a un nouveau mot de passe. Tous les autres navigateurs ont été déconnectés.',
    button: 'Voir la sécurité de votre compte',
    closing:
      'Si ce n’était pas vous, demandez un lien de connexion et définissez un nouveau mot de passe, ou répondez tout de suite à ce message.',
  },
  lockedOut: {
    subject: 'Tous les moyens de connexion de votre compte ont été supprimés',
    text: 'Nous avons déconnecté tous les navigateurs et mis fin au mot de passe, aux clés d’accès, aux clés et aux applications connectées de votre compte. Vos achats restent. Connectez-vous avec un lien que nous enverrons à cette adresse.',
    button: 'Se connecter',
    closing: 'Si vous ne nous l’avez pas demandé ou si vous avez des questions, répondez à ce message.',
  },
  withdrawal: {
    subject: (order) => `Votre rétractation de la commande ${order}`,
    text: 'Nous avons reçu votre rétractation de cette commande. Conservez ce message comme confirmation.',
    next: 'Nous examinons maintenant la commande et répondrons dans la demande d’assistance ci-dessous. Les sommes dues vous sont restituées par le moyen de paiement utilisé.',
    received: 'Reçue le',
    closing: 'Si quelque chose ne va pas avec cette rétractation, répondez simplement à ce message.',
  },
  ticket: {
    subject: (number) => `Nous avons reçu votre message [${number}]`,
    text: 'Merci de nous avoir écrit. Votre message nous est parvenu ; nous répondrons par e-mail et dans la demande ci-dessous.',
    number: 'Demande',
    closing: 'Vous pouvez la compléter à tout moment.',
  },
  answer: {
    subject: (number) => `Réponse à votre demande [${number}]`,
    text: 'Nous avons répondu à votre demande d’assistance :',
    closing: 'Si cela ne vous aide pas, répondez simplement à ce message.',
  },
  invitation: {
    subject: (product) => `Invitation à utiliser ${product}`,
    text: (from, product) => `${from} vous invite dans l’équipe qui utilise ${product}.`,
    billing: (from, product) => `${from} vous invite à gérer les places de l’équipe qui utilise ${product}.`,
    button: 'Voir l’invitation',
    closing: (days) =>
      `L’invitation est valable ${days} jours, et rien ne se passe sans votre accord. Si vous ne connaissez pas l’expéditeur, ignorez ce message.`,
  },
  emailChange: {
    subject: 'Confirmez votre nouvelle adresse e-mail',
    text: (minutes) =>
      `Quelqu’un a demandé à utiliser cette adresse pour un compte chez nous. Le lien fonctionne une fois, pendant ${minutes} minutes, dans un navigateur connecté à ce compte.`,
    button: 'Confirmer l’adresse',
    closing: 'Si vous n’avez rien demandé, ignorez ce message. Rien ne change.',
  },
  emailChanged: {
    subject: 'L’adresse e-mail de votre compte a été changée',
    text: 'Votre compte a une nouvelle adresse e-mail. Vous ne pouvez plus vous connecter avec celle-ci, et elle ne recevra plus de messages de notre part.',
    undo: 'Ce n’était pas moi',
    undoText:
      'Si ce n’était pas vous, le bouton vous permet, pendant une semaine, de rétablir cette adresse sans connexion.',
    button: 'Voir votre profil',
    closing: 'Si ce n’était pas vous, répondez tout de suite à ce message.',
  },
  signIn: {
    subject: 'Votre lien de connexion',
    text: (minutes) => `Ce lien vous connecte une fois. Il expire dans ${minutes} minutes.`,
    password: 'Ensuite, vous pourrez définir un nouveau mot de passe.',
    button: 'Se connecter',
    closing: 'Si vous n’avez rien demandé, ignorez ce message. Personne ne peut se connecter sans ce lien.',
  },
  consoleSignIn: {
    subject: 'Votre lien vers la console',
    text: (minutes) => `Ce lien ouvre une fois la console de votre boutique. Il expire dans ${minutes} minutes.`,
    button: 'Ouvrir la console',
    closing:
      'Il permet de gérer la boutique : ne le donnez à personne. Si vous n’avez rien demandé, ignorez ce message.',
  },
  notice: {
    kinds: {
      sale: 'Vente',
      failed_renewal: 'Échec du renouvellement',
      dispute: 'Litige',
      withdrawal: 'Rétractation',
      ticket: 'Demande',
      payment_event: 'Paiement non enregistré',
      doctor: 'Problème',
      disk: 'Disque',
      backup: 'Sauvegarde',
    },
    texts: {
      sale: 'Un client a payé une commande.',
      failed_renewal:
        'Un abonnement n’a pas pu être renouvelé, car le paiement a échoué. Le prestataire de paiement va réessayer.',
      dispute:
        'La banque d’un client réclame ce paiement. Répondez au litige chez votre prestataire de paiement avant la date limite.',
      withdrawal: 'Un client s’est rétracté de cette commande. Remboursez-la, ou répondez dans la demande.',
      ticket: 'Un client vous a écrit.',
      payment_event:
        'Un message de votre prestataire de paiement n’a pas pu être enregistré : il manque peut-être une vente.',
      doctor: 'L’examen de votre boutique a révélé un problème.',
      disk: 'Le disque est presque plein. Une fois plein, la boutique ne pourra plus rien vendre.',
      backup: 'Il n’y a pas de sauvegarde récente de la boutique.',
    },
    mended: 'Résolu',
    mendedText: 'Ce problème est résolu. Vous n’avez plus rien à faire.',
    more: (most) =>
      `C’est le ${most}e message de ce type en une heure. S’il y en a d’autres, vous les recevrez ensuite dans un seul résumé.`,
    others: (count) => `et ${count} de plus`,
    hour: 'Résumé de l’heure',
    hourText: (most) => `Après les ${most} premiers messages de l’heure, voici tous les autres.`,
    day: 'Résumé du jour',
    dayText: 'Voici ce qui s’est passé depuis le dernier résumé.',
    test: 'Test : les avis de votre boutique vous parviennent',
    testText: 'Ce test a été demandé dans la console. Les avis de votre boutique arrivent à cette adresse.',
    button: 'Ouvrir la console',
    change: 'Choisir vos avis',
    closing: 'Vous recevez ce message parce que vous gérez cette boutique.',
  },
};
