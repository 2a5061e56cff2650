/** Whether there is a wallet at the URL at all: a silent window may only be slow. */

/** `down`: nothing answers. `missing`: something does, but it is no wallet. `unreadable`: this page may not read what it says. */
export type Absence = 'down' | 'missing' | 'unreadable';

/** A turn of the event loop, by which violations have been reported. */
function nextTask(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  port2.postMessage(0);
  return new Promise((resolve) => (port1.onmessage = resolve)).finally(() => port1.close());
}

/** Fetches what every wallet's origin serves to every page. `frame`: the wallet's page. Never rejects. */
export async function lookForFrame(frame: URL): Promise<Absence | undefined> {
  const { href, origin } = new URL('../embed.json', frame);
  let forbidden = false;
  const onViolation = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'connect-src' && blockedURI.startsWith(origin)) forbidden = true;
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  try {
    const answer = await fetch(href, { cache: 'no-store' });
    if (!answer.ok) return 'missing';
    // Servers of single-page applications answer every path with their page.
    return await answer.json().then(
      () => undefined,
      () => 'missing' as const,
    );
  } catch {
    // A page whose own CSP blocks the request learns nothing. Browsers report that in a separate task.
    await nextTask();
    return forbidden ? undefined : await isThere(href);
  } finally {
    document.removeEventListener('securitypolicyviolation', onViolation);
  }
}

/** What a page may not read for want of CORS it may still fetch. */
async function isThere(href: string): Promise<Absence> {
  try {
    await fetch(href, { cache: 'no-store', mode: 'no-cors' });
    return 'unreadable';
  } catch {
    return 'down';
  }
}
