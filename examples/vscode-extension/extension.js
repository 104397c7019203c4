// The keys of the shop, which the build takes into the extension.
import { keys } from 'shop-keys';
import * as vscode from 'vscode';
// In your extension: import { Client } from 'account-service-client';
import { Client } from '../../clients/js/node.js';

/* An extension whose command runs with a license alone: a buyer pastes the license key once. */

/** @param {vscode.ExtensionContext} context */
export const activate = (context) => {
  const { secrets, extension } = context;
  const license = new Client({
    api: String(vscode.workspace.getConfiguration('hashcheck').get('api')),
    product_id: 4,
    app_version: extension.packageJSON.version,
    keys,
    // The key and the token lie in the secret storage of VS Code.
    store: {
      get: (name) => secrets.get(name),
      set: (name, text) => (text === null ? secrets.delete(name) : secrets.store(name, text)),
    },
  });

  const gated = async () => {
    let status = await license.status();
    if (status.check_due) status = await license.check();
    if (!status.may_run) {
      const key = await vscode.window.showInputBox({ prompt: 'Paste your license key', password: true });
      if (!key) return;
      status = await license.activate(key);
    }
    if (status.may_run && status.error) await vscode.window.showWarningMessage(status.error.message);
    if (status.may_run) await vscode.window.showInformationMessage('Hashcheck runs.');
    const why = [status.message, status.manage_url, status.error?.message].filter(Boolean).join(' ');
    if (!status.may_run) await vscode.window.showErrorMessage(why || status.code);
  };
  context.subscriptions.push(vscode.commands.registerCommand('hashcheck.run', gated));
};
