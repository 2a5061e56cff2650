import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const tags = /^(connect-provider|link-wallets|manage-wallets|transfer-dialog|sign-request|swap-panel)$/;

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tags.test(tag) } } })],
});
