import type { ConnectErrorEvent, ConnectResultEvent } from 'carabiner/elements';
import { createSignal, For, onCleanup, Show } from 'solid-js';
import { Header } from './header';

const SHOP = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const frame = import.meta.env.VITE_FRAME ?? 'https://connect.example';

export function Shop() {
  const [page, setPage] = createSignal('pay');
  const [walletId, setWalletId] = createSignal('');
  const [log, setLog] = createSignal<string[]>([]);

  const note = (line: string) => setLog((lines) => [...lines, line]);
  const done = ({ action }: ConnectResultEvent) => note(action);
  const failed = ({ error }: ConnectErrorEvent) => note(error.code);

  // What was asked on a page that the user has left since.
  const hear = (event: ConnectResultEvent) => {
    if (event.target !== document) return;
    event.preventDefault();
    note(`${event.action} from another page`);
  };
  document.addEventListener('connect-result', hear);
  onCleanup(() => document.removeEventListener('connect-result', hear));

  return (
    <connect-provider frame={frame}>
      <Header />
      <nav>
        <button onClick={() => setPage('pay')}>Pay</button>
        <button onClick={() => setPage('about')}>About</button>
      </nav>
      <Show when={page() === 'pay'} fallback={<p>We sell things.</p>}>
        <link-wallets
          secret-types="ETHEREUM"
          on:connect-result={({ action, result }) => {
            setWalletId(result[0]?.id ?? '');
            note(action);
          }}
        />
        <transfer-dialog
          wallet-id={walletId()}
          to={SHOP}
          value="0.1"
          secret-type="ETHEREUM"
          on:connect-result={done}
          on:connect-error={failed}
        />
        <sign-request
          type="ETHEREUM_RAW"
          wallet-id={walletId()}
          data="0x48656c6c6f"
          on:connect-result={done}
          on:connect-error={failed}
        />
      </Show>
      <ol id="log">
        <For each={log()}>{(line) => <li>{line}</li>}</For>
      </ol>
    </connect-provider>
  );
}
