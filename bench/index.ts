/** `npm run bench`: the figures that this project promises, measured in this run. Bytes also fail the tests; times never do. */
import { startEthereum } from '../demo/networks/ethereum.ts';
import { buildIfStale } from '../scripts/build.ts';
import { bytes } from './bytes.ts';
import { pin } from './pin.ts';
import { rounds } from './rounds.ts';
import { signing } from './signing.ts';

await buildIfStale();
const ethereum = await startEthereum({ port: 0 });
try {
  console.log(`${await bytes()}\n`);
  console.log(`${await rounds(ethereum)}\n`);
  console.log(`${await signing(ethereum)}\n`);
  console.log(await pin(ethereum));
} finally {
  await ethereum.close();
}
