/**
 * Shows how much of a form's file has been sent. Without a script, the browser sends the form as it is. A refused form
 * is shown in place of the page, so that no file is sent twice. A form with `data-signed-by` sends its file to the
 * object store first, by the request that this path signs, and then itself with the file's checksum.
 */
export const UPLOAD_SCRIPT = `const send = (method, url, headers, body, progress) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = progress;
  request.upload.onload = () => progress({});
  request.onload = () => resolve(request);
  request.onerror = reject;
  request.send(body);
});
const toStore = async (form, body, progress) => {
  const file = body.get('file');
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  const sha256 = Array.from(sum, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const asked = new URLSearchParams({ csrf: body.get('csrf'), sha256, size: file.size });
  const signed = await fetch(form.dataset.signedBy, { method: 'POST', body: asked });
  const { upload } = await signed.json();
  if (upload) {
    const { status } = await send(upload.method, upload.url, upload.headers, file, progress);
    // The store has the file if another upload of it was faster.
    if (status >= 300 && status !== 412) throw status;
  }
  body.delete('file');
  body.set('sha256', sha256);
  body.set('filename', file.name);
};
document.addEventListener('submit', async (event) => {
  const form = event.target.closest('form[enctype]');
  const body = form && new FormData(form);
  if (!body?.get('file')?.size) return;
  event.preventDefault();
  form.querySelector('[role=alert]')?.remove();
  const button = form.querySelector('button');
  const label = button.textContent;
  const bar = document.createElement('progress');
  bar.setAttribute('aria-label', label);
  button.before(bar);
  button.disabled = true;
  const progress = ({ loaded, total }) => {
    if (!total) return bar.removeAttribute('value');
    bar.max = total;
    bar.value = loaded;
    button.textContent = label + ' · ' + Math.floor(loaded / total * 100) + ' %';
  };
  try {
    if (form.dataset.signedBy) await toStore(form, body, progress);
    const { status, responseURL, responseText } = await send('POST', form.action, {}, body, progress);
    if (status < 400) return location.assign(responseURL);
    const page = new DOMParser().parseFromString(responseText, 'text/html');
    document.querySelector('main').replaceWith(page.querySelector('main'));
    document.querySelector('[role=alert]')?.focus();
  } catch {
    bar.remove();
    button.disabled = false;
    button.textContent = label;
    const fault = document.createElement('p');
    fault.className = 'notice fault';
    fault.role = 'alert';
    fault.textContent = form.dataset.failed;
    form.prepend(fault);
  }
});
`;
