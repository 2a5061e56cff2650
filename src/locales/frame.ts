// Written by `npm run strings`.
export const frame = {
  ar: () => import('./frame/ar.ts'),
  de: () => import('./frame/de.ts'),
  es: () => import('./frame/es.ts'),
  fr: () => import('./frame/fr.ts'),
  ja: () => import('./frame/ja.ts'),
  'zh-Hans': () => import('./frame/zh-Hans.ts'),
};
