import { ConnectProvider } from 'carabiner/react';
import type { ReactNode } from 'react';
import { Link, Links, Meta, Outlet, Scripts } from 'react-router';
import { Log } from './log';

const frame = import.meta.env.VITE_FRAME ?? 'https://connect.example';

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Shop</title>
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return (
    <>
      <h1>Shop</h1>
      <nav>
        <Link to="/">Pay</Link> <Link to="/about">About</Link>
      </nav>
      <ConnectProvider frame={frame}>
        <Log>
          <Outlet />
        </Log>
      </ConnectProvider>
    </>
  );
}
