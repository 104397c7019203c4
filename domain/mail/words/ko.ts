import type { MailWords } from './en.ts';

export const korean: MailWords = {
  order: '주문 번호',
  product: '제품',
  products: '제품',
  toProducts: '내 제품 보기',
  toPasskeys: '패스키 확인하기',
  toTicket: '문의 내용 보기',
  sale: {
    date: '주문일',
    seller: '판매자',
    vat: '합계에 포함된 부가세',
    total: '합계',
    usable: '계속 사용 가능',
    ended: '사용 종료',
    receipt: '영수증 보기',
    closing: '주문에 문제가 있으면 이 메일에 회신해 주세요.',
  },
  licenseKey: {
    name: (product) => `라이선스 키 (${product})`,
    kept: (prefix) => `${prefix}… (지금 쓰시는 키 그대로입니다)`,
    subject: (product) => `${product} 라이선스 키 안내`,
    use: '앱에서 라이선스 키를 요청하면 아래 키를 붙여 넣어 주세요. 다른 사람에게는 알려 주지 마세요.',
    lost: '키를 잃어버리셨다면 ‘내 제품’에서 재발급하실 수 있습니다.',
  },
  paid: {
    subject: (product, number) => `${product} 주문 ${number} 안내`,
    subjectOfMore: (product, more, number) => `${product} 외 ${more}개 주문 ${number} 안내`,
    text: '주문해 주셔서 감사합니다. 아래 버튼을 누르시면 구매하신 제품을 확인하실 수 있습니다.',
    textOfDownload: '주문해 주셔서 감사합니다. 아래 버튼을 누르시면 바로 내려받으실 수 있습니다.',
    download: (product) => `${product} 다운로드`,
    signsIn: (days) =>
      `이 버튼으로 ${days}일 안에 한 번, 버튼을 누르신 컴퓨터에서 바로 로그인하실 수 있습니다. 그 뒤에는 평소처럼 로그인해 주세요. 버튼을 먼저 누른 사람이 고객님의 계정에 로그인하게 되므로, 그때까지는 이 메일을 다른 사람에게 전달하지 마세요.`,
  },
  refund: {
    subject: (number) => `주문 ${number} 환불 안내`,
    all: (amount) => `주문 금액의 전부(${amount})를 환불해 드렸습니다.`,
    part: (amount) => `주문 금액의 일부(${amount})를 환불해 드렸습니다.`,
    rest: (amount) => `주문 금액의 나머지(${amount})를 환불해 드렸습니다.`,
    allUsable: '제품은 계속 사용하실 수 있습니다.',
    someEnded: '일부 제품은 더 이상 사용하실 수 없습니다.',
    allEnded: '제품은 더 이상 사용하실 수 없습니다.',
  },
  restored: {
    subject: (number) => `주문 ${number} 이용 재개 안내`,
    text: '주문의 결제가 다시 확인되었습니다. 제품을 이전과 같이 사용하실 수 있습니다.',
  },
  key: {
    subject: '계정에 새 키가 만들어졌습니다',
    text: '고객님의 계정에 새 키가 만들어졌습니다.',
    name: '키',
    button: '키 확인하기',
    closing: '본인이 한 일이 아니라면 그 키를 폐기하고 비밀번호를 새로 정해 주세요.',
  },
  device: {
    subject: '라이선스에 새 기기가 등록되었습니다',
    text: '고객님의 라이선스에 새 기기가 등록되었습니다.',
    name: '기기',
    button: '기기 확인하기',
    closing: '본인이 한 일이 아니라면 그 기기를 해제하고 비밀번호를 새로 정해 주세요.',
  },
  passkey: {
    subject: '계정에 새 패스키가 등록되었습니다',
    text: '고객님의 계정에 패스키가 등록되었습니다. 이 패스키로 비밀번호 없이 로그인할 수 있습니다.',
    closing: '본인이 한 일이 아니라면 모르는 패스키를 삭제하고 비밀번호를 새로 정해 주세요.',
  },
  passkeyRemoved: {
    subject: '계정에서 패스키가 삭제되었습니다',
    text: '고객님의 계정에서 패스키가 삭제되었습니다. 이 패스키로는 더 이상 로그인할 수 없습니다.',
  },
  passwordChanged: {
    subject: '계정의 비밀번호가 변경되었습니다',
    text: '계정의 비밀번호가 변경되었습니다. 다른 브라우저에서는 모두 로그아웃되었습니다.',
    button: '보안 설정 확인하기',
    closing: '본인이 한 일이 아니라면 로그인 링크를 받아 비밀번호를 새로 정하시거나 바로 이 메일에 회신해 주세요.',
  },
  lockedOut: {
    subject: '계정의 모든 로그인 수단이 해지되었습니다',
    text: '모든 브라우저에서 로그아웃하고 비밀번호, 패스키, 키, 연결된 앱을 해지했습니다. 구매하신 상품은 그대로입니다. 이 주소로 보내 드리는 링크로 다시 로그인해 주세요.',
    button: '로그인하기',
    closing: '요청하신 일이 아니거나 궁금한 점이 있으면 이 메일에 회신해 주세요.',
  },
  withdrawal: {
    subject: (order) => `주문 ${order} 청약철회 접수 확인`,
    text: '이 주문에 대한 청약철회가 접수되었습니다. 이 메일은 접수 확인이니 보관해 주세요.',
    next: '주문을 확인한 뒤 아래 문의에서 답변드리겠습니다. 환불받으실 금액이 있으면 결제하신 수단으로 돌려드립니다.',
    received: '접수 일시',
    closing: '청약철회에 문제가 있으면 이 메일에 회신해 주세요.',
  },
  ticket: {
    subject: (number) => `문의가 접수되었습니다 [${number}]`,
    text: '문의해 주셔서 감사합니다. 보내 주신 내용이 접수되었으며, 이메일과 아래 문의 페이지로 답변드리겠습니다.',
    number: '문의 번호',
    closing: '덧붙이실 내용이 있으면 문의 페이지에 언제든지 남겨 주세요.',
  },
  answer: {
    subject: (number) => `문의 답변 [${number}]`,
    text: '문의하신 내용에 답변드립니다.',
    closing: '더 궁금한 점이 있으면 이 메일에 회신해 주세요.',
  },
  emailChange: {
    subject: '새 이메일 주소를 확인해 주세요',
    text: (minutes) =>
      `이 주소를 계정의 이메일 주소로 사용하겠다는 요청이 있었습니다. 링크는 ${minutes}분 동안 한 번만 사용할 수 있으며, 그 계정으로 로그인한 브라우저에서 열어 주세요.`,
    button: '주소 확인',
    closing: '요청하신 적이 없다면 이 메일을 무시하셔도 됩니다. 아무것도 변경되지 않습니다.',
  },
  emailChanged: {
    subject: '계정의 이메일 주소가 변경되었습니다',
    text: '계정의 이메일 주소가 변경되어, 이 주소로는 더 이상 로그인할 수 없고 메일도 보내 드리지 않습니다.',
    undo: '본인이 변경하지 않았습니다',
    undoText:
      '본인이 한 일이 아니라면 일주일 안에 위 버튼을 눌러 주세요. 로그인하지 않아도 이 주소로 되돌릴 수 있습니다.',
    button: '내 정보 확인하기',
    closing: '본인이 한 일이 아니라면 바로 이 메일에 회신해 주세요.',
  },
  signIn: {
    subject: '로그인 링크',
    text: (minutes) => `이 링크로 한 번 로그인하실 수 있습니다. 링크는 ${minutes}분 동안 유효합니다.`,
    password: '로그인한 다음 비밀번호를 새로 정하실 수 있습니다.',
    button: '로그인',
    closing: '요청하신 적이 없다면 아무것도 하지 않으셔도 됩니다. 이 메일 없이는 아무도 로그인할 수 없습니다.',
  },
  consoleSignIn: {
    subject: '관리 콘솔 로그인 링크',
    text: (minutes) => `이 링크로 상점의 관리 콘솔을 한 번 여실 수 있습니다. 링크는 ${minutes}분 동안 유효합니다.`,
    button: '관리 콘솔 열기',
    closing:
      '상점을 운영할 수 있는 링크이니 다른 사람에게 전달하지 마세요. 요청하신 적이 없다면 아무것도 하지 않으셔도 됩니다.',
  },
};
