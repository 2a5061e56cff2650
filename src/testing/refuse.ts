/** Whether a bundler has built the page for production. Bundlers put the text in; a browser has no `process`. */
export function inProduction(): boolean {
  try {
    return process.env.NODE_ENV === 'production';
  } catch {
    return false;
  }
}

export function refuse(): never {
  throw new Error(
    'carabiner/testing is in a production build: its wallet moves no money and asks nobody. Import it in tests only (docs/testing-your-app.md).',
  );
}
