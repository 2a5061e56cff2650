/** A transparent HTTP proxy in front of a real node, on both loopback addresses. While it is down, it cuts every connection. */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../../service/listen.ts';

export interface Front {
  url: string;
  down: boolean;
  close(): Promise<void>;
}

export async function startFront(target: string, port: number, setting: string): Promise<Front> {
  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (front.down) return void incoming.socket.destroy();
    const { method, url, headers } = incoming;
    const asked = ask(new URL(url!, target), { method, headers }, (answer) => {
      if (front.down) return void incoming.socket.destroy();
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    asked.once('error', () => incoming.socket.destroy());
    incoming.pipe(asked);
  }
  const server = await listen(forward, { port, setting });
  const front: Front = { url: `http://127.0.0.1:${server.port}`, down: false, close: server.close };
  return front;
}
