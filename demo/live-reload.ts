/** Reloads the demo's page, including the elements and the wallet. */
import type { ServerResponse } from 'node:http';
import type { Part } from './requests.ts';

const SCRIPT = `
const events = new EventSource('/live-reload');
let known = false;
// Reconnecting means that the server was restarted.
events.onopen = () => {
  if (known) location.reload();
  known = true;
};
events.onmessage = () => location.reload();
`;

export class LiveReload {
  readonly #pages = new Set<ServerResponse>();

  readonly part: Part = async (path, _request, response) => {
    if (path === '/live-reload.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript', 'Cache-Control': 'no-store' }).end(SCRIPT);
      return true;
    }
    if (path !== '/live-reload') return false;
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.flushHeaders();
    this.#pages.add(response);
    response.once('close', () => this.#pages.delete(response));
    return true;
  };

  reload(): void {
    for (const page of this.#pages) page.write('data: changed\n\n');
  }
}
