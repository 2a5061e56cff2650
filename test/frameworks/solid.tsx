/** Tags in Solid. */
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
        onClick={() => kept[0]?.show()}
        on:connect-result={({ result }) => result.transactionHash.trim()}
      >
        Pay
      </transfer-dialog>
      {/* @ts-expect-error There is no such layout. */}
      <link-wallets layout="grid" />
      {/* @ts-expect-error The result is not a wallet. */}
      <transfer-dialog on:connect-result={({ result }) => result.address} />
    </>
  );
}
