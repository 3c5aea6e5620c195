/** What a page is made of; addresses as the webview sees them. */
export interface PageParts {
  readonly nonce: string;
  readonly cspSource: string;
  readonly script: string;
  readonly style: string;
}

/**
 * The panel's page. Scripts run only with the nonce, which modules hand on to what they import; styles need
 * 'unsafe-inline' because a Mermaid drawing carries its own.
 */
export function panelHtml({ nonce, cspSource, script, style }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'unsafe-inline'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Waves</title>
  <link rel="stylesheet" href="${attribute(style)}">
</head>
<body>
  <script type="module" nonce="${nonce}" src="${attribute(script)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
