/**
 * Prints an application with a secret and wallets, as JSON. Run in the sources of the release whose database it is: `customer.ts <name>
 * <wallets>`. The wallets' PINs are cheap to check: the test is about what happens afterwards.
 */
import { createClient } from '../../../service/auth/clients.ts';
import { Custody } from '../../../service/custody/custody.ts';
import { openDatabase } from '../../../service/database/database.ts';
import { fileKeys } from '../../../service/keys/file-keys.ts';

const [name = '', count] = process.argv.slice(2);
const { DATABASE_URL: databaseUrl, MASTER_KEY_FILE: masterKeyFile = '', PIN: pin = '' } = process.env;
const settings = { databaseUrl, databaseConnections: 2, dataFolder: '' };
const { db, close } = await openDatabase(settings, { debug: () => {}, warn: () => {} });
const client = await createClient(db, { name, scopes: ['view:wallets', 'whitelabel', 'sign:wallets'] });
const cost = { memory: 64, iterations: 1, parallelism: 1 };
const custody = new Custody(db, await fileKeys(masterKeyFile, { create: false }), { cost });
const wallets = [];
for (let n = 0; n < Number(count); n++) {
  const { wallet } = await custody.createWallet({
    ownerId: client.id,
    applicationId: client.id,
    walletType: 'WHITE_LABEL',
    secretType: 'ETHEREUM',
    kind: 'local',
    pin,
    pinOf: 'wallet',
  });
  wallets.push({ id: wallet.id, address: wallet.address });
}
await close();
console.log(JSON.stringify({ id: client.id, secret: client.secret, wallets }));
