/** Whether there is a wallet at all where the page looks for one: a window that stays silent may only be slow. */

/** `down`: nothing answers. `missing`: something does, but it is no wallet. */
export type Absence = 'down' | 'missing';

/** Of the event loop, which has told of violations by then. */
function nextTask(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  port2.postMessage(0);
  return new Promise((resolve) => (port1.onmessage = resolve)).finally(() => port1.close());
}

/** Asks for what every wallet's origin serves to every page. `frame`: the wallet's page. Never rejects. */
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
    // Servers of single-page applications answer everything with their page.
    return await answer.json().then(
      () => undefined,
      () => 'missing' as const,
    );
  } catch {
    // A page whose own policy forbids the question learns nothing. Browsers say that in a task of its own.
    await nextTask();
    return forbidden ? undefined : 'down';
  } finally {
    document.removeEventListener('securitypolicyviolation', onViolation);
  }
}
