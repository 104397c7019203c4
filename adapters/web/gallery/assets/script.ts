/**
 * The pages work without this script. With it, a filter applies at once, the arrow keys move through the screens of a
 * flow, and a picture enlarges in place. Selecting an app changes the available flows, so the whole page reloads.
 */
export const SCRIPT = `const form = document.querySelector('#filters');
let latest = 0;
form?.addEventListener('change', async ({ target }) => {
  if (target.name === 'app') return form.requestSubmit();
  const mine = ++latest;
  const url = '?' + new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''));
  const answer = await fetch(url);
  if (!answer.ok) return form.requestSubmit();
  const results = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('.results');
  if (mine !== latest) return;
  document.querySelector('.results').replaceWith(results);
  history.replaceState(null, '', url);
});
form?.querySelector('button').remove();
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea, .zoomed')) return;
  const rel = { ArrowLeft: 'prev', ArrowRight: 'next' }[event.key];
  if (rel) document.querySelector('.turn a[rel=' + rel + ']')?.click();
});
document.querySelector('a.stage')?.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.classList.toggle('zoomed');
});
`;
