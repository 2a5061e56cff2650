/** The page on which the example provider asks who is signing in. */
import { PEOPLE } from './people.ts';

/** `link` returns the URL to continue with. */
export function providerPage(style: string, link: (person: string) => string): string {
  const rows = PEOPLE.map(
    ({ id, firstName, lastName, email }) =>
      `<li><a href="${link(id).replaceAll('&', '&amp;')}"><b>Continue as ${firstName} ${lastName}</b><span>${email}</span></a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Example sign-in</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<main>
<h1>Example sign-in</h1>
<p>Stands in for the identity provider of your application. It asks for no password and is only for this demo.</p>
<ul>
${rows.join('\n')}
</ul>
</main>
</body>
</html>
`;
}

export const PROVIDER_STYLE = `
:root { color-scheme: light dark; --text: light-dark(#14181f, #eef1f5); --text-2: light-dark(#4a5261, #b4bcc9); --surface: light-dark(#fff, #161a21); --line: light-dark(#808999, #717b8c); --accent: light-dark(#2351b0, #8fb3f7); }
* { box-sizing: border-box; }
body { margin: 0; padding: clamp(0px, (100vw - 440px) / 4, 64px) 0; background: light-dark(#f5f6f8, #0d1015); color: var(--text); font: 400 15px/1.45 system-ui, sans-serif; }
main { max-inline-size: 440px; margin: 0 auto; padding: 24px 20px; border: 1px solid light-dark(#e0e4ea, #2a303b); border-radius: 16px; background: var(--surface); }
h1 { margin: 0 0 4px; font-size: 20px; font-weight: 640; line-height: 1.25; }
p { margin: 0; color: var(--text-2); font-size: 13px; }
ul { display: grid; gap: 8px; margin: 20px 0 0; padding: 0; list-style: none; }
a { display: grid; min-block-size: 60px; align-content: center; padding: 8px 16px; border: 1px solid var(--line); border-radius: 9px; color: inherit; text-decoration: none; }
a:hover { background: light-dark(#f4f5f8, #1d222b); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
b { font-weight: 560; }
span { color: var(--text-2); font-size: 13px; overflow-wrap: anywhere; }
@media (max-width: 440px) { main { border-width: 0 0 1px; border-radius: 0; } }
`;
