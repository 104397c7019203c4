/**
 * Shows how much of a form's file has been sent. Without a script, the browser sends the form as it is. A refused form
 * is shown in place of the page, so that no file is sent twice.
 */
export const UPLOAD_SCRIPT = `document.addEventListener('submit', (event) => {
  const form = event.target.closest('form[enctype]');
  const body = form && new FormData(form);
  if (!body?.get('file')?.size) return;
  event.preventDefault();
  const button = form.querySelector('button');
  const label = button.textContent;
  const bar = document.createElement('progress');
  bar.setAttribute('aria-label', label);
  button.before(bar);
  button.disabled = true;
  const request = new XMLHttpRequest();
  request.open('POST', form.action);
  request.upload.onprogress = ({ loaded, total }) => {
    bar.max = total;
    bar.value = loaded;
    button.textContent = label + ' · ' + Math.floor(loaded / total * 100) + ' %';
  };
  request.upload.onload = () => bar.removeAttribute('value');
  request.onload = () => {
    if (request.status < 400) return location.assign(request.responseURL);
    const page = new DOMParser().parseFromString(request.responseText, 'text/html');
    document.querySelector('main').replaceWith(page.querySelector('main'));
    document.querySelector('[role=alert]')?.focus();
  };
  request.onerror = () => { bar.remove(); button.disabled = false; button.textContent = label; };
  request.send(body);
});
`;
