import type { SetupWords } from '../en/setup.ts';

export const setup: SetupWords = {
  title: '스토어 콘솔 열기',
  lead: '이 스토어를 운영하는 첫 번째 구성원이 됩니다. 다음부터는 메일로 받은 링크나 패스키로 로그인합니다.',
  email: '이메일 주소',
  name: '이름',
  nameHint: '변경 기록에 이 이름이 함께 남습니다.',
  go: '콘솔 열기',
  unusableTitle: '사용할 수 없는 링크입니다',
  unusable:
    '링크가 만료되었거나, 서비스가 다시 시작되어 새 링크로 바뀌었거나, 이미 구성원이 있는 스토어입니다. 서비스를 다시 시작하면 새 링크를 받을 수 있습니다. 구성원이라면 로그인해 주세요.',
  signIn: '로그인',
  refused: {
    account_suspended: '이용이 정지된 계정의 주소입니다. 다른 주소를 사용해 주세요.',
    email_malformed: '올바른 이메일 주소가 아닙니다.',
    name_is_empty: '이름을 입력해 주세요.',
    member_exists: '이미 구성원인 주소입니다. 로그인해 주세요.',
    too_many_members: '구성원이 너무 많습니다.',
    setup_not_usable: '사용할 수 없는 링크입니다. 로그인하거나 서비스를 다시 시작해 새 링크를 받아 주세요.',
    too_many_attempts: '시도가 너무 많았습니다. 1분 뒤에 다시 시도해 주세요.',
  },
};
