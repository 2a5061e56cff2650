// Written by `npm run strings`.
export const elements = {
  ar: () => import('./elements/ar.ts'),
  de: () => import('./elements/de.ts'),
  es: () => import('./elements/es.ts'),
  fr: () => import('./elements/fr.ts'),
  ja: () => import('./elements/ja.ts'),
  'zh-Hans': () => import('./elements/zh-Hans.ts'),
};
