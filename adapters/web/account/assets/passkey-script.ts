/**
 * The browser's part of passkeys, which requires a script: it requests a passkey with the options of the form, and
 * submits the answer in its field. In a browser without passkeys, their buttons stay hidden.
 */
export const PASSKEY_SCRIPT = `const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
if (window.PublicKeyCredential) {
  for (const one of document.querySelectorAll('[data-passkeys]')) one.hidden = false;
}
const form = document.querySelector('form[data-options]');
if (form) {
  const { creates, ...options } = JSON.parse(form.dataset.options);
  options.challenge = bytes(options.challenge);
  if (creates) options.user.id = bytes(options.user.id);
  for (const one of options.excludeCredentials ?? []) one.id = bytes(one.id);
  const ask = async () => {
    const { id, type, response } = await navigator.credentials[creates ? 'create' : 'get']({ publicKey: options });
    const parts = creates
      ? ['clientDataJSON', 'attestationObject']
      : ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle'];
    const answer = Object.fromEntries(parts.flatMap((part) => (response[part] ? [[part, text(response[part])]] : [])));
    if (creates) answer.transports = response.getTransports?.() ?? [];
    form.elements.response.value = JSON.stringify({ id, rawId: id, type, response: answer, clientExtensionResults: {} });
    form.submit();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask().catch(() => {
      document.getElementById('passkey-status').hidden = false;
    });
  });
  if (!creates) ask().catch(() => {});
}
`;
