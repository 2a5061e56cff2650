/**
 * A local WalletConnect relay for tests: it passes messages that it cannot read between clients, and keeps
 * them for those that are offline. It understands what 2.21 clients send, and refuses what Reown's relay
 * refuses.
 * https://specs.walletconnect.com/2.0/specs/servers/relay/relay-server-rpc
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base58, base64url, hex } from '@scure/base';
import { type WebSocket, WebSocketServer } from 'ws';

export interface RelayOptions {
  /** Project ids that it accepts. */
  projects: readonly string[];
}

interface Kept {
  topic: string;
  message: string;
  publishedAt: number;
  tag: number;
  attestation?: string;
  until: number;
  /** Clients that have received it. */
  got: Set<string>;
}

interface Peer {
  client: string;
  socket: WebSocket;
  /** Subscription ids by topic. */
  topics: Map<string, string>;
}

interface Asked {
  id: number | string;
  method?: string;
  params?: Record<string, unknown>;
}

/** JSON-RPC's code for invalid parameters. */
const INVALID = -32602;
const UNKNOWN_METHOD = -32601;
/** Close code of a socket whose client is refused. */
const UNAUTHORIZED = 3000;
const TOPIC = /^[0-9a-f]{64}$/;
const MONTH = 2_592_000;

export async function startRelay({ projects }: RelayOptions) {
  const peers = new Set<Peer>();
  const kept: Kept[] = [];
  /** The requests it got, as they came. */
  const asked: Asked[] = [];
  let nextId = 1;

  const http = createServer((_, answer) => answer.writeHead(404).end());
  const sockets = new WebSocketServer({ noServer: true });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;

  http.on('upgrade', (request, socket, head) => {
    const { searchParams } = new URL(request.url ?? '/', url);
    const { client, why } = admit(searchParams);
    if (why !== undefined && searchParams.get('useOnCloseEvent') !== 'true') {
      socket.end(`HTTP/1.1 401 Unauthorized\r\ncontent-length: ${why.length}\r\n\r\n${why}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (opened) => {
      if (why !== undefined) opened.close(UNAUTHORIZED, why);
      else join({ client: client!, socket: opened, topics: new Map() });
    });
  });

  /** The client's key, or why it is refused. */
  function admit(given: URLSearchParams): { client?: string; why?: string } {
    const project = given.get('projectId');
    if (!project) return { why: 'Project ID is missing' };
    if (!projects.includes(project)) return { why: 'Unauthorized: invalid key' };
    const [head = '', body = '', signature = ''] = (given.get('auth') ?? '').split('.');
    try {
      const { alg, typ } = decoded(head);
      const { iss, sub, aud, iat, exp } = decoded(body);
      const [code, version, ...key] = base58.decode(String(iss).replace(/^did:key:z/, ''));
      const now = Date.now() / 1000;
      const known = createPublicKey({
        key: Buffer.from(`302a300506032b6570032100${hex.encode(Uint8Array.from(key))}`, 'hex'),
        format: 'der',
        type: 'spki',
      });
      const signed = Buffer.from(`${head}.${body}`);
      if (alg !== 'EdDSA' || typ !== 'JWT' || code !== 0xed || version !== 1) throw new Error('form');
      if (!verify(null, signed, known, unpadded(signature))) throw new Error('signature');
      if (!/^[0-9a-f]{64}$/.test(String(sub)) || aud !== url) throw new Error('audience');
      if (!(Number(iat) <= now + 60 && Number(exp) > now)) throw new Error('time');
      return { client: String(iss) };
    } catch (error) {
      return { why: `JWT validation error: ${(error as Error).message}` };
    }
  }

  function join(peer: Peer): void {
    peers.add(peer);
    peer.socket.on('close', () => peers.delete(peer));
    peer.socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Asked;
      // An answer to a message that was delivered.
      if (!message.method) return;
      asked.push(message);
      const answer = (more: object) =>
        peer.socket.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...more }));
      try {
        answer({ result: answerTo(peer, message) });
        for (const topic of peer.topics.keys()) deliver(topic);
      } catch (error) {
        const { code, message: why } = error as { code?: number; message: string };
        answer({ error: { code: code ?? INVALID, message: why } });
      }
    });
  }

  function answerTo(peer: Peer, { method, params = {} }: Asked): unknown {
    switch (method) {
      case 'irn_subscribe':
        return subscribe(peer, params['topic']);
      case 'irn_batchSubscribe':
        return listOf(params['topics']).map((topic) => subscribe(peer, topic));
      case 'irn_unsubscribe':
        if (peer.topics.get(topicOf(params['topic'])) !== params['id']) throw invalid('no such subscription');
        return peer.topics.delete(String(params['topic']));
      case 'irn_publish':
        return publish(peer, params, params['tag']);
      case 'irn_batchPublish':
        return listOf(params['messages']).every((each) =>
          publish(peer, each as Record<string, unknown>, (each as { tag: unknown }).tag),
        );
      case 'irn_fetchMessages':
        return { messages: waiting(peer, topicOf(params['topic'])), hasMore: false };
      case 'irn_batchFetchMessages':
        return {
          messages: listOf(params['topics']).flatMap((topic) => waiting(peer, topicOf(topic))),
          hasMore: false,
        };
      // Since 2.21, each step of a session is one request, and the relay subscribes its sender.
      case 'wc_proposeSession':
        publish(peer, { ...params, topic: params['pairingTopic'], message: params['sessionProposal'] }, 1100);
        return subscribe(peer, params['pairingTopic']) !== '';
      case 'wc_approveSession': {
        const { pairingTopic, sessionTopic } = params;
        subscribe(peer, sessionTopic);
        publish(peer, { ...params, topic: pairingTopic, message: params['sessionProposalResponse'] }, 1101);
        return publish(
          peer,
          { ...params, topic: sessionTopic, message: params['sessionSettlementRequest'] },
          1102,
        );
      }
    }
    throw Object.assign(new Error(`Method not found: ${method}`), { code: UNKNOWN_METHOD });
  }

  function subscribe(peer: Peer, given: unknown): string {
    const topic = topicOf(given);
    const id = createHash('sha256').update(topic).update(peer.client).digest('hex');
    peer.topics.set(topic, id);
    return id;
  }

  function publish(peer: Peer, params: Record<string, unknown>, tag: unknown): true {
    const topic = topicOf(params['topic']);
    const { message, ttl = 300, attestation } = params;
    if (typeof message !== 'string' || !/^[A-Za-z0-9+/_-]+=*$/.test(message)) throw invalid('message');
    if (!Number.isInteger(ttl) || Number(ttl) <= 0 || Number(ttl) > MONTH) throw invalid('ttl');
    if (!Number.isInteger(tag)) throw invalid('tag');
    const publishedAt = Date.now();
    // A message sent twice counts once.
    if (!kept.some((each) => each.topic === topic && each.message === message))
      kept.push({
        topic,
        message,
        publishedAt,
        tag: Number(tag),
        ...(attestation ? { attestation: String(attestation) } : {}),
        until: publishedAt + Number(ttl) * 1000,
        got: new Set([peer.client]),
      });
    deliver(topic);
    return true;
  }

  const dataOf = ({ topic, message, publishedAt, tag, attestation }: Kept) => ({
    topic,
    message,
    publishedAt,
    tag,
    attestation,
  });
  const fresh = (topic: string) => kept.filter((each) => each.topic === topic && each.until > Date.now());

  function waiting({ client }: Peer, topic: string): object[] {
    return fresh(topic).flatMap((each) => {
      if (each.got.has(client)) return [];
      each.got.add(client);
      return [dataOf(each)];
    });
  }

  /** To all sockets of a client: two tabs of a page have one key. */
  function deliver(topic: string): void {
    for (const each of fresh(topic)) {
      const to = [...peers].filter((peer) => peer.topics.has(topic) && !each.got.has(peer.client));
      for (const { client, socket, topics } of to) {
        each.got.add(client);
        const params = { id: topics.get(topic), data: dataOf(each) };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: nextId++, method: 'irn_subscription', params }));
      }
    }
  }

  return {
    url,
    asked,
    /** Sockets of all clients that are connected now. */
    get topics(): string[] {
      return [...peers].flatMap(({ topics }) => [...topics.keys()]);
    },
    get connected(): number {
      return peers.size;
    },
    /** Closes all sockets, as when the network fails. */
    drop(): void {
      for (const { socket } of peers) socket.terminate();
    },
    async close(): Promise<void> {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
}

const invalid = (what: string) => Object.assign(new Error(`Invalid params: ${what}`), { code: INVALID });

function topicOf(given: unknown): string {
  if (typeof given === 'string' && TOPIC.test(given)) return given;
  throw invalid('topic');
}

function listOf(given: unknown): unknown[] {
  if (Array.isArray(given) && given.length) return given;
  throw invalid('an empty list');
}

const unpadded = (text: string) => base64url.decode(text.padEnd(Math.ceil(text.length / 4) * 4, '='));
const decoded = (text: string) =>
  JSON.parse(Buffer.from(unpadded(text)).toString()) as Record<string, unknown>;
