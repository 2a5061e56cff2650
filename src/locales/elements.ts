// Written by `npm run strings`.
export const elements = {
  ar: () => import('./elements/ar.ts'),
  de: () => import('./elements/de.ts'),
  ja: () => import('./elements/ja.ts'),
};
