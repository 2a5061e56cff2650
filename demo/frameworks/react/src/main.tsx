import { ConnectProvider } from 'carabiner/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Shop } from './shop';

const frame = import.meta.env.VITE_FRAME ?? 'https://connect.example';

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <ConnectProvider frame={frame}>
      <Shop />
    </ConnectProvider>
  </StrictMode>,
);
