/** The customer's language: from the page's URL, otherwise the browser's. */
const isEnglish = (tag: string): boolean => /^en\b/i.test(tag);

export async function speakTo(asked: string): Promise<void> {
  const wanted = [asked, ...navigator.languages].filter(Boolean);
  if (isEnglish(wanted[0] ?? 'en') && isEnglish(navigator.language)) return;
  try {
    const [{ speak }, { pay }] = await Promise.all([
      import('../ui/languages.ts'),
      import('../locales/pay.ts'),
    ]);
    Object.assign(document.documentElement, await speak(wanted, pay));
  } catch {
    // The page stays in English.
  }
}
