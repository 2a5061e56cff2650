import { createRootRoute, HeadContent, Link, Outlet, Scripts } from '@tanstack/react-router';
import { ConnectProvider } from 'carabiner/react';
import { Log } from '../log';

const frame = import.meta.env.VITE_FRAME ?? 'https://connect.example';

export const Route = createRootRoute({
  head: () => ({
    meta: [
      { charSet: 'utf-8' },
      { name: 'viewport', content: 'width=device-width, initial-scale=1' },
      { title: 'Shop' },
    ],
    links: [{ rel: 'icon', href: 'data:,' }],
  }),
  component: Root,
});

function Root() {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <h1>Shop</h1>
        <nav>
          <Link to="/">Pay</Link> <Link to="/about">About</Link>
        </nav>
        <ConnectProvider frame={frame}>
          <Log>
            <Outlet />
          </Log>
        </ConnectProvider>
        <Scripts />
      </body>
    </html>
  );
}
