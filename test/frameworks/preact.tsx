/** Tags in Preact.
 * @jsxImportSource preact
 */
import 'carabiner/types/preact';
import type { TransferDialog } from 'carabiner/elements';
import { useRef } from 'preact/hooks';

export function Page() {
  const ref = useRef<TransferDialog>(null);
  return (
    <>
      <transfer-dialog
        ref={ref}
        class="wide"
        wallet-id="mine"
        value={1n}
        onClick={() => ref.current?.show()}
        onconnect-result={({ result }) => result.transactionHash.trim()}
      >
        Pay
      </transfer-dialog>
      {/* @ts-expect-error There is no such layout. */}
      <link-wallets layout="grid" />
      {/* @ts-expect-error The result is not a wallet. */}
      <transfer-dialog onconnect-result={({ result }) => result.address} />
      {/* @ts-expect-error There is no such property. */}
      <transfer-dialog walletID="mine" />
    </>
  );
}
