/** Logs what a page's developer should know and its user cannot fix, each message once. */
const loggedMessages = new Set<string>();

/** Takes an error, or a problem without a request. `docsUrl`: where the documentation says more. */
export function warn({ shortMessage, docsUrl }: { shortMessage: string; docsUrl: string }): void {
  if (loggedMessages.has(shortMessage)) return;
  loggedMessages.add(shortMessage);
  // oxlint-disable-next-line no-console -- a developer has no other place to read it
  console.warn(`Carabiner: ${shortMessage} ${docsUrl}`);
}
