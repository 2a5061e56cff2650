/** The figures of the wallet service. */
import { serviceCreate } from './service-create.ts';
import { startBenchService } from './service-process.ts';
import { serviceRate } from './service-rate.ts';
import { serviceScale } from './service-scale.ts';
import { serviceSessions } from './service-sessions.ts';

export async function service(): Promise<string> {
  const running = await startBenchService();
  try {
    const tables = [await serviceRate(running), await serviceCreate(running), await serviceScale(running)];
    return [...tables, await serviceSessions()].join('\n\n');
  } finally {
    await running.close();
  }
}
