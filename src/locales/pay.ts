// Written by `npm run strings`.
export const pay = {
  ar: () => import('./pay/ar.ts'),
  de: () => import('./pay/de.ts'),
  es: () => import('./pay/es.ts'),
  fr: () => import('./pay/fr.ts'),
  ja: () => import('./pay/ja.ts'),
  'zh-Hans': () => import('./pay/zh-Hans.ts'),
};
