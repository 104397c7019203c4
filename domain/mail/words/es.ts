import type { MailWords } from './en.ts';

export const spanish: MailWords = {
  order: 'Pedido',
  product: 'Producto',
  products: 'Productos',
  toProducts: 'Ver sus productos',
  toPasskeys: 'Ver sus llaves de acceso',
  toTicket: 'Ver su consulta de soporte',
  sale: {
    date: 'Fecha',
    seller: 'Vendedor',
    vat: 'IVA incluido',
    total: 'Importe total',
    usable: 'Puede seguir usando',
    ended: 'Ya no puede usar',
    receipt: 'Recibo',
    closing: 'Si hay algún problema con este pedido, responda a este mensaje.',
  },
  licenseKey: {
    name: (product) => `Clave de licencia (${product})`,
    kept: (prefix) => `${prefix}… (la clave que ya tiene)`,
    subject: (product) => `Su clave de licencia de ${product}`,
    use: 'Pegue la clave de licencia en la aplicación cuando se la pida y no la comparta con nadie.',
    lost: 'Si pierde la clave, sustitúyala en Productos, dentro de su cuenta.',
  },
  paid: {
    subject: (product, number) => `${product}: su pedido ${number}`,
    subjectOfMore: (product, more, number) => `${product} y ${more} más: su pedido ${number}`,
    text: 'Gracias por su pedido. El botón lleva a sus productos.',
    textOfDownload: 'Gracias por su pedido. El botón lleva a su descarga.',
    download: (product) => `Descargar ${product}`,
    signsIn: (days) =>
      `Con él inicia sesión una vez, en un plazo de ${days} días, en el ordenador donde lo abra; después, inicie sesión como siempre. Hasta entonces, no reenvíe este mensaje: la primera persona que abra el enlace entra en su cuenta.`,
  },
  refund: {
    subject: (number) => `Reembolso de su pedido ${number}`,
    all: (amount) => `Hemos reembolsado su pedido completo: ${amount}.`,
    part: (amount) => `Hemos reembolsado una parte de su pedido: ${amount}.`,
    rest: (amount) => `Hemos reembolsado el resto de su pedido: ${amount}.`,
    allUsable: 'Puede seguir usando sus productos.',
    someEnded: 'Algunos de sus productos ya no se pueden usar.',
    allEnded: 'Sus productos ya no se pueden usar.',
  },
  restored: {
    subject: (number) => `Su pedido ${number} vuelve a estar pagado`,
    text: 'Su pedido vuelve a estar pagado, y puede usar sus productos como antes.',
  },
  key: {
    subject: 'Una clave nueva para su cuenta',
    text: 'Se ha creado una clave nueva para su cuenta.',
    name: 'Clave',
    button: 'Ver sus claves',
    closing: 'Si no ha sido usted, revoque la clave y defina una contraseña nueva.',
  },
  device: {
    subject: 'Un dispositivo nuevo usa su licencia',
    text: 'Se ha registrado un dispositivo nuevo con su licencia.',
    name: 'Dispositivo',
    button: 'Ver sus dispositivos',
    closing: 'Si no ha sido usted, libere el dispositivo y defina una contraseña nueva.',
  },
  passkey: {
    subject: 'Una llave de acceso nueva para su cuenta',
    text: 'Se ha añadido una llave de acceso a su cuenta. Con ella se inicia sesión sin su contraseña.',
    closing: 'Si no ha sido usted, elimine las llaves de acceso que no reconozca y defina una contraseña nueva.',
  },
  passkeyRemoved: {
    subject: 'Se ha eliminado una llave de acceso de su cuenta',
    text: 'Se ha eliminado una llave de acceso de su cuenta. Ya no sirve para iniciar sesión.',
  },
  passwordChanged: {
    subject: 'La contraseña de su cuenta ha cambiado',
    text: 'Su cuenta tiene una contraseña nueva. Se ha cerrado la sesión de todos los demás navegadores.',
    button: 'Ver la seguridad de su cuenta',
    closing:
      'Si no ha sido usted, pida un enlace de inicio de sesión y defina una contraseña nueva, o responda de inmediato a este mensaje.',
  },
  lockedOut: {
    subject: 'Se han anulado todas las formas de acceder a su cuenta',
    text: 'Hemos cerrado la sesión de todos los navegadores y anulado la contraseña, las llaves de acceso, las claves y las aplicaciones conectadas de su cuenta. Sus compras se conservan. Inicie sesión con un enlace que enviaremos a esta dirección.',
    button: 'Iniciar sesión',
    closing: 'Si no nos lo ha pedido o tiene preguntas, responda a este mensaje.',
  },
  withdrawal: {
    subject: (order) => `Su desistimiento del pedido ${order}`,
    text: 'Hemos recibido su desistimiento de este pedido. Conserve este mensaje como confirmación.',
    next: 'Ahora revisaremos el pedido y responderemos en la consulta de soporte que aparece abajo. El dinero que corresponda se devuelve por el mismo medio de pago.',
    received: 'Recibido',
    closing: 'Si hay algún error en este desistimiento, responda a este mensaje.',
  },
  ticket: {
    subject: (number) => `Hemos recibido su mensaje [${number}]`,
    text: 'Gracias por escribirnos. Su mensaje nos ha llegado, y responderemos por correo y en la consulta que aparece abajo.',
    number: 'Consulta',
    closing: 'Puede añadir algo a la consulta en cualquier momento.',
  },
  answer: {
    subject: (number) => `Respuesta a su consulta [${number}]`,
    text: 'Hemos respondido a su consulta de soporte:',
    closing: 'Si esto no le ayuda, responda a este mensaje.',
  },
  emailChange: {
    subject: 'Confirme su correo electrónico nuevo',
    text: (minutes) =>
      `Alguien ha pedido usar esta dirección para una cuenta en nuestra tienda. El enlace sirve una vez, durante ${minutes} minutos, en un navegador con la sesión de esa cuenta iniciada.`,
    button: 'Confirmar la dirección',
    closing: 'Si usted no lo pidió, ignore este mensaje. No cambiará nada.',
  },
  emailChanged: {
    subject: 'El correo electrónico de su cuenta ha cambiado',
    text: 'Su cuenta tiene un correo electrónico nuevo. Ya no puede iniciar sesión con este, y aquí no llegarán más mensajes nuestros.',
    undo: 'No he sido yo',
    undoText:
      'Si no ha sido usted, durante una semana puede recuperar esta dirección con el botón, sin iniciar sesión.',
    button: 'Ver su perfil',
    closing: 'Si no ha sido usted, responda de inmediato a este mensaje.',
  },
  signIn: {
    subject: 'Su enlace de inicio de sesión',
    text: (minutes) => `Con este enlace inicia sesión una vez. Caduca en ${minutes} minutos.`,
    password: 'Después puede definir una contraseña nueva.',
    button: 'Iniciar sesión',
    closing: 'Si usted no lo pidió, ignore este mensaje. Nadie puede iniciar sesión sin él.',
  },
  consoleSignIn: {
    subject: 'Su enlace a la consola',
    text: (minutes) => `Este enlace abre una vez la consola de su tienda. Caduca en ${minutes} minutos.`,
    button: 'Abrir la consola',
    closing: 'Con él se administra la tienda: no se lo dé a nadie. Si usted no lo pidió, ignore este mensaje.',
  },
};
