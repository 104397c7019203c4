const vscode = require('vscode');

/** The lines without trailing spaces; each text once and in order, as far as the settings ask for it. */
function tidy(text, { sort, dropDuplicates }) {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  let lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  if (dropDuplicates) lines = [...new Set(lines)];
  if (sort) lines.sort((a, b) => a.localeCompare(b, vscode.env.language));
  return lines.join(newline);
}

/** Whole lines of the selection, or the whole document where nothing is selected. */
function linesToTidy(document, selection) {
  const last = document.lineCount - 1;
  const [from, to] = selection.isEmpty ? [0, last] : [selection.start.line, selection.end.line];
  return new vscode.Range(from, 0, to, document.lineAt(to).text.length);
}

function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerTextEditorCommand('tidyLines.tidy', (editor, edit) => {
      const settings = vscode.workspace.getConfiguration('tidyLines', editor.document.uri);
      const range = linesToTidy(editor.document, editor.selection);
      edit.replace(
        range,
        tidy(editor.document.getText(range), {
          sort: settings.get('sort', true),
          dropDuplicates: settings.get('dropDuplicates', true),
        }),
      );
    }),
  );
}

module.exports = { activate };
