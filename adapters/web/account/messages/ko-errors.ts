import type { Messages } from './en.ts';

/** The Korean texts of pages that answer what went wrong. */
export const errors: Messages['errors'] = {
  notFoundTitle: '페이지를 찾을 수 없습니다',
  notFoundText: '주소가 잘못되었거나 더 이상 존재하지 않는 페이지입니다.',
  forbiddenTitle: '요청을 처리하지 못했습니다',
  forbiddenText:
    '페이지를 연 지 너무 오래되었거나 이 사이트에서 보낸 요청이 아닙니다. 뒤로 가서 새로고침한 뒤 다시 시도해 주세요.',
  tooLargeTitle: '입력한 내용이 너무 깁니다',
  tooLargeText: '보낼 수 있는 양을 넘었습니다. 뒤로 가서 내용을 줄여 주세요.',
  tooManyAttempts: (minutes) => `시도 횟수가 너무 많습니다. ${minutes}분 후에 다시 시도해 주세요.`,
  busy: '지금 로그인하는 사람이 많습니다. 잠시 후 다시 시도해 주세요.',
  tooManyTitle: '요청이 너무 많습니다',
  tooManyText: (seconds) => `${seconds}초 후에 다시 시도해 주세요.`,
  tooManyChangesTitle: '변경이 너무 많습니다',
  tooManyChangesText: (hours) =>
    `오늘 계정이 너무 자주 변경되어 앞으로 ${hours}시간 동안은 변경할 수 없습니다. 키 폐기, 앱 연결 해제, 브라우저 로그아웃은 계속할 수 있습니다.`,
  unavailableTitle: '지금은 연결할 수 없습니다',
  unavailableText: '저장된 내용은 그대로 있습니다. 잠시 후 다시 시도해 주세요.',
  faultTitle: '저희 쪽에 문제가 생겼습니다',
  faultText: '같은 문제가 반복되면 판매처에 아래 요청 ID를 알려 주세요.',
  appTitle: '앱을 연결할 수 없습니다',
  appText: '앱이 보낸 로그인 요청에 문제가 있습니다. 앱으로 돌아가 처음부터 다시 시작해 주세요.',
  home: '내 계정으로 이동',
};
