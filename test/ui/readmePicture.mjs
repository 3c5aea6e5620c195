// Makes the README's picture from the running product: `node test/ui/readmePicture.mjs` (build first).

import { fileURLToPath } from 'node:url';
import { openVSCode } from './workbench.mjs';

const FILE = fileURLToPath(new URL('../../media/readme-panel.png', import.meta.url));
const SETTINGS = {
  'workbench.colorTheme': 'Dark 2026',
  'workbench.activityBar.location': 'hidden',
  'workbench.statusBar.visible': true,
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
};

const vscode = await openVSCode({ settings: SETTINGS, viewport: { width: 1360, height: 860 } });
try {
  await vscode.command('View: Close Primary Side Bar');
  await vscode.command('Waves: Run Sample Batch');
  const panel = vscode.webview();
  await panel.locator('.state-word', { hasText: 'Done' }).waitFor();
  await panel.locator('[data-zone=plan] .chip', { hasText: '#5' }).click();
  await panel.locator('[data-zone=why]', { hasText: 'rejected' }).waitFor();
  await vscode.page.mouse.move(5, 855);
  await vscode.page.screenshot({ path: FILE });
  console.log(`Wrote ${FILE}.`);
} finally {
  await vscode.close();
}
