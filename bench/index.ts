/** `npm run bench`: the figures that this project promises, measured in this run. Tests hold the sizes to budgets; times never fail. */
import { closeAll, startNetworks } from '../demo/networks/start-networks.ts';
import { buildIfStale } from '../scripts/build.ts';
import { answerHelp } from '../service/help.ts';
import { bytes } from './bytes.ts';
import { checkoutRate } from './checkout.ts';
import { longText } from './long-text.ts';
import { deposits } from './deposits.ts';
import { inPage } from './page.ts';
import { pin } from './pin.ts';
import { rounds } from './rounds.ts';
import { service } from './service.ts';
import { signing } from './signing.ts';
import { slowPhone } from './slow-phone.ts';
import { tokenReads } from './token-reads.ts';
import { swaps } from './swaps.ts';
import { webhooks } from './webhooks.ts';

answerHelp({
  usage: ['bench'],
  does: 'Measures what this project promises: sizes, round trips, signing, PINs, and the rates of the service, beside peers. Builds what is stale; 10 minutes.',
  environment: { CHROME_PATH: 'the browser, if it is not installed in a usual place' },
});

await buildIfStale();
const missing: string[] = [];
const networks = await startNetworks({
  ports: {},
  onAnswer: () => {},
  onMissing: (reason) => missing.push(reason),
});
try {
  console.log(`${await bytes()}\n`);
  console.log(`${await rounds(networks)}\n`);
  console.log(`${await tokenReads(networks)}\n`);
  console.log(`${await signing(networks)}\n`);
  console.log(`${await swaps()}\n`);
  for (const reason of missing) console.log(`Left out: ${reason}\n`);
  const ethereum = networks.find(({ network }) => network.secretType === 'ETHEREUM')!;
  await inPage(async (page) => {
    console.log(`${await pin(page, ethereum)}\n`);
    console.log(`${await longText(page)}\n`);
  });
} finally {
  await closeAll(networks);
}
console.log(`${await slowPhone()}\n`);
console.log(await service());
console.log(`\n${await checkoutRate()}`);
console.log(`\n${await webhooks()}`);
console.log(`\n${await deposits()}`);
