/** What the developer of a page has to know and its user cannot help: in the console, each thing once. */
const told = new Set<string>();

/** An error, or what has no request to end. `docsUrl`: where the documentation has more. */
export function warn({ shortMessage, docsUrl }: { shortMessage: string; docsUrl: string }): void {
  if (told.has(shortMessage)) return;
  told.add(shortMessage);
  // oxlint-disable-next-line no-console -- a developer has no other place to read it
  console.warn(`Carabiner: ${shortMessage} ${docsUrl}`);
}
