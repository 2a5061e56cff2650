/** Tags in Solid.
 * @jsxImportSource solid-js
 */
import 'carabiner/types/solid';
import type { TransferDialog } from 'carabiner/elements';

export function Page() {
  const kept: TransferDialog[] = [];
  return (
    <>
      <transfer-dialog
        ref={(pay) => kept.push(pay)}
        class="wide"
        wallet-id="mine"
        prop:value={1n}
        attr:to="0x"
        request={{ type: 'ETH_TRANSACTION', walletId: 'mine', to: '0x', value: '1' }}
        onClick={() => kept[0]?.show()}
        on:connect-result={({ result }) => result.transactionHash.trim()}
      >
        Pay
      </transfer-dialog>
      <link-wallets secret-types={['ETHEREUM']} prop:theme="dark" />
      {/* @ts-expect-error Solid would write it as `walletid`. */}
      <transfer-dialog walletId="mine" />
      {/* @ts-expect-error There is no such layout. */}
      <link-wallets layout="grid" />
      {/* @ts-expect-error The result is not a wallet. */}
      <transfer-dialog on:connect-result={({ result }) => result.address} />
    </>
  );
}
