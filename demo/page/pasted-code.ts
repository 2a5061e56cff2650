/** Code of the start page that runs as it is: with the address of this wallet, and with nothing left out. */

const TO = '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063';

/** `script`: URL of `connect.js`. */
export function wholePage(script: string): string {
  return `<!doctype html>
<title>Pay</title>
<script type="module" src="${script}"></script>
<transfer-dialog secret-type="ETHEREUM" value="0.25"
  to="${TO}">Pay 0.25 ETH</transfer-dialog>`;
}

/** `frame`: the wallet's origin. */
export function module(frame: string): string {
  return `import { createConnect } from 'carabiner';

const connect = createConnect({ frame: '${frame}' });
const button = document.createElement('button');
button.textContent = 'Pay 0.25 ETH';
button.onclick = async () => {
  const [wallet] = await connect.linkWallets({ secretTypes: ['ETHEREUM'] });
  if (!wallet) return;
  const { transactionHash } = await connect.transfer({
    walletId: wallet.id,
    to: '${TO}',
    value: '0.25',
    secretType: 'ETHEREUM',
  });
  button.textContent = transactionHash;
};
document.body.append(button);`;
}
