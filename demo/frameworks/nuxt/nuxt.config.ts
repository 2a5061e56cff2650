const tags = /^(connect-provider|link-wallets|manage-wallets|transfer-dialog|sign-request|swap-panel)$/;

export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  telemetry: false,
  vue: { compilerOptions: { isCustomElement: (tag) => tags.test(tag) } },
  // NUXT_PUBLIC_FRAME names another.
  runtimeConfig: { public: { frame: 'https://connect.example' } },
  app: { head: { title: 'Shop', htmlAttrs: { lang: 'en' }, link: [{ rel: 'icon', href: 'data:,' }] } },
  // Found later, it would reload the page of whoever opens it first.
  vite: { optimizeDeps: { include: ['carabiner/elements', 'carabiner/types/vue'] } },
  typescript: { tsConfig: { vueCompilerOptions: { strictTemplates: true } } },
});
