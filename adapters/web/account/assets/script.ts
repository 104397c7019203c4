/** The one script of the pages: it shows the button that copies a key. Without it the key can be selected. */
export const SCRIPT = `for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  const status = document.getElementById(button.dataset.copy + '-status');
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      status.textContent = button.dataset.copied;
    } catch {
      getSelection().selectAllChildren(source);
      status.textContent = button.dataset.failed;
    }
  });
}
`;
