import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [reactRouter()],
  // Found only while the page loads, it would make Vite bundle again what the page has begun to load.
  optimizeDeps: { include: ['carabiner/react'] },
});
