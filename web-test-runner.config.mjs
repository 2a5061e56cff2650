import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { register } from 'tsx/esm/api';
import { countReporter } from './scripts/count-reporter.mjs';

const unregister = register();
const { findBrowser, FLAGS } = await import('./scripts/browser.ts');
await unregister();

export default {
  files: 'test/unit/**/*.test.ts',
  nodeResolve: { exportConditions: ['browser', 'development'], browser: true },
  concurrency: 2,
  browsers: [
    chromeLauncher({
      launchOptions: { executablePath: findBrowser(), args: FLAGS },
      // Files that run at the same time share neither storage nor focus.
      async createPage({ browser }) {
        const page = await (await browser.createBrowserContext()).newPage();
        const session = await page.createCDPSession();
        await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
        return page;
      },
    }),
  ],
  plugins: [esbuildPlugin({ ts: true, json: true, target: 'es2022', tsconfig: 'tsconfig.json' })],
  reporters: [defaultReporter({ reportTestProgress: false }), countReporter()],
  testFramework: { config: { timeout: '60000' } },
  browserStartTimeout: 60000,
  testsStartTimeout: 60000,
  testsFinishTimeout: 300000,
};
