/** Tags and components in React 18. */
import 'carabiner/types/react-18';
import { TransferDialog as Tag } from 'carabiner/elements';
import { TransferDialog } from 'carabiner/react';
import { useRef } from 'react';

export function Page() {
  const ref = useRef<Tag>(null);
  return (
    <>
      <transfer-dialog ref={ref} id="pay" class="wide" wallet-id="mine" value="1.5">
        Pay
      </transfer-dialog>
      {/* @ts-expect-error React 18 writes attributes only. */}
      <transfer-dialog request={{}} />
      {/* @ts-expect-error It is text. */}
      <transfer-dialog wallet-id={1} />
      <TransferDialog
        ref={ref}
        walletId="mine"
        request={{ type: 'ETH_TRANSACTION', walletId: 'mine', to: '0x', value: '1' }}
        onConnectResult={({ result }) => result.transactionHash.trim()}
      />
      {/* @ts-expect-error The result is not a wallet. */}
      <TransferDialog onConnectResult={({ result }) => result.address} />
    </>
  );
}
