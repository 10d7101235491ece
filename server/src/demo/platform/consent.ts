import { hash } from 'node:crypto';
import { escapeHtml } from '../../escape-html.ts';
import type { DemoPerson } from './grants.ts';

/** The parameters of the service's sign-in request. */
export interface ConsentRequest {
  redirectUri: string;
  codeChallenge: string;
  state: string;
}

const STYLE = `
:root { color-scheme: light dark; --page: #f8f9fa; --card: #fff; --ink: #1a1b1e; --soft: #5c636a; --line: #dee2e6;
  --hover: #edf2ff; --accent: #364fc7; }
@media (prefers-color-scheme: dark) { :root { --page: #141517; --card: #1f2023; --ink: #e9ecef; --soft: #a6a7ab;
  --line: #373a40; --hover: #25262b; --accent: #91a7ff; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--page);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 460px; background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 28px; }
.badge { margin: 0 0 12px; color: var(--accent); font-size: 13px; font-weight: 600; letter-spacing: .04em;
  text-transform: uppercase; }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; }
p { margin: 0 0 20px; color: var(--soft); }
form { display: grid; gap: 10px; margin: 0; }
button { width: 100%; min-height: 44px; padding: 12px 14px; border: 1px solid var(--line); border-radius: 8px;
  background: transparent; color: inherit; font: inherit; text-align: left; cursor: pointer; display: grid;
  grid-template-columns: 40px 1fr; column-gap: 12px; align-items: center; }
button:hover { background: var(--hover); border-color: var(--accent); }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.initial { grid-row: span 2; width: 40px; height: 40px; border-radius: 50%; display: grid; place-items: center;
  background: var(--hover); color: var(--accent); font-weight: 700; }
.name { font-weight: 600; overflow-wrap: anywhere; }
.about { color: var(--soft); font-size: 14px; }
button.cancel { display: block; text-align: center; border-color: transparent; color: var(--soft); }
`;

/**
 * No script, and exactly this style. `form-action` includes the service, because browsers apply it to the redirect
 * after the form too.
 */
export function consentPolicy({ redirectUri }: ConsentRequest): string {
  const style = hash('sha256', STYLE, 'base64');
  return (
    `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; frame-ancestors 'none'; ` +
    `form-action 'self' ${new URL(redirectUri).origin}`
  );
}

/** Asks who signs in. The form is sent to the page's own address, which contains the request. */
export function consentPage(people: readonly DemoPerson[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in - Try-out chat</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="badge">Try-out chat platform</p>
<h1>Who signs in to Guildbook?</h1>
<p>This page stands in for the real chat platform. Pick somebody from the sample data; Guildbook will see their name
and their guilds.</p>
<form method="post">
${people.map(personButton).join('\n')}
<button class="cancel" name="decision" value="deny">Cancel</button>
</form>
</main>
</body>
</html>
`;
}

function personButton({ chatId, username, about }: DemoPerson): string {
  return `<button name="person" value="${escapeHtml(chatId)}">
<span class="initial" aria-hidden="true">${escapeHtml([...username][0]?.toUpperCase() ?? '')}</span>
<span class="name">${escapeHtml(username)}</span>
<span class="about">${escapeHtml(about)}</span>
</button>`;
}
