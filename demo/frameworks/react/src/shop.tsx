import { type ConnectResultEvent, LinkWallets, SignRequest, TransferDialog } from 'carabiner/react';
import { useEffect, useState } from 'react';

const SHOP = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';

export function Shop() {
  const [page, setPage] = useState('pay');
  const [walletId, setWalletId] = useState<string>();
  const [log, setLog] = useState<string[]>([]);

  const note = (line: string) => setLog((lines) => [...lines, line]);

  // What was asked on a page that the user has left since.
  useEffect(() => {
    const hear = (event: ConnectResultEvent) => {
      if (event.target !== document) return;
      event.preventDefault();
      note(`${event.action} from another page`);
    };
    document.addEventListener('connect-result', hear);
    return () => document.removeEventListener('connect-result', hear);
  }, []);

  return (
    <>
      <h1>Shop</h1>
      <nav>
        <button onClick={() => setPage('pay')}>Pay</button>
        <button onClick={() => setPage('about')}>About</button>
      </nav>
      {page === 'about' ? (
        <p>We sell things.</p>
      ) : (
        <main>
          <LinkWallets
            secretTypes={['ETHEREUM']}
            onConnectResult={({ action, result }) => {
              setWalletId(result[0]?.id);
              note(action);
            }}
          />
          <TransferDialog
            walletId={walletId}
            to={SHOP}
            value="0.1"
            secretType="ETHEREUM"
            onConnectResult={({ action }) => note(action)}
            onConnectError={({ error }) => note(error.code)}
          />
          <SignRequest
            type="ETHEREUM_RAW"
            walletId={walletId ?? ''}
            data="0x48656c6c6f"
            onConnectResult={({ action }) => note(action)}
            onConnectError={({ error }) => note(error.code)}
          />
        </main>
      )}
      <ol id="log">
        {log.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ol>
    </>
  );
}
